"""Rule sets: by which options Baloot is played, what each option means, and how two rule sets differ (rules, section 3)."""
