"""What a viewer may see: the one place where secrets are taken out.

`project` turns an event into what one viewer sees of it, `see` does the same for a whole table. The types that come out
hold nothing hidden, and only they can be encoded for clients; an event that `project` does not know shows nothing.
"""

from baloot.table.views.entry import Seen, SeenEntry, is_public, project, see_entry
from baloot.table.views.table import SeenTable, see
from baloot.table.views.viewer import Viewer

__all__ = ["Seen", "SeenEntry", "SeenTable", "Viewer", "is_public", "project", "see", "see_entry"]
