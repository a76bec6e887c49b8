"""The statements of the log that do more than one thing at once: appending, leasing what is due, and attending."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.dialects.postgresql import ARRAY

# Rows lock in one order everywhere, hence both ORDER BY: unordered, two writers would deadlock. The key of table_entry
# decides races; the condition on the head keeps gaps out even after a log was set back. The outer join returns the
# time when nothing went in, too. The link of the chain is made here, where the one before is at hand: `chain.link` says
# the same in Python. After an entry without a link, which an older version wrote, there is none to go on from.
APPEND = sa.text("""
WITH given AS (
    SELECT * FROM unnest(
        :table_ids, :sequences, :ats, :actors, :defaults, :request_ids, :digests, :statuses, :deadlines, :payloads, :secrets,
        :holders
    ) AS given (
        table_id, sequence, at, actor, by_default, request_id, request_digest, status, deadline_at, payload, secret, holder
    )
), written AS (
    INSERT INTO table_entry (
        table_id, sequence, at, actor, by_default, request_id, request_digest, status, deadline_at, payload, secret, holder,
        chain
    )
    SELECT table_id, sequence, at, actor, by_default, request_id, request_digest, status, deadline_at, payload, secret, holder,
        sha256(
            convert_to('baloot/chain/v1', 'UTF8') || '\\x00'::bytea
            || CASE
                WHEN sequence = 1 THEN decode(repeat('00', 32), 'hex')
                ELSE (
                    SELECT before.chain FROM table_entry before
                    WHERE before.table_id = given.table_id AND before.sequence = given.sequence - 1
                )
            END
            || uuid_send(table_id) || int4send(sequence) || int8send((extract(epoch FROM at) * 1000000)::bigint)
            || substring('\\x0001020304'::bytea FROM coalesce(actor, -1) + 2 FOR 1)
            || substring('\\x0001'::bytea FROM by_default::int + 1 FOR 1)
            || sha256(payload) || sha256(secret)
        )
    FROM given
    WHERE sequence = 1 OR sequence - 1 = (SELECT head.sequence FROM table_head head WHERE head.table_id = given.table_id)
    ORDER BY table_id, sequence
    ON CONFLICT DO NOTHING
    RETURNING table_id, sequence, status, deadline_at, at, chain
), moved AS (
    INSERT INTO table_head AS head (table_id, sequence, status, deadline_at, updated_at)
    SELECT table_id, sequence, status, deadline_at, at FROM written ORDER BY table_id
    ON CONFLICT (table_id) DO UPDATE SET
        sequence = excluded.sequence,
        status = excluded.status,
        deadline_at = excluded.deadline_at,
        leased_until = NULL,
        updated_at = excluded.updated_at
    WHERE head.sequence < excluded.sequence
)
SELECT clock_timestamp(), written.table_id, written.chain FROM (VALUES (1)) AS always (n) LEFT JOIN written ON true
""").bindparams(
    bindparam("table_ids", type_=ARRAY(sa.Uuid)),
    bindparam("sequences", type_=ARRAY(sa.Integer)),
    bindparam("ats", type_=ARRAY(sa.TIMESTAMP(timezone=True))),
    bindparam("actors", type_=ARRAY(sa.SmallInteger)),
    bindparam("defaults", type_=ARRAY(sa.Boolean)),
    bindparam("request_ids", type_=ARRAY(sa.Uuid)),
    bindparam("digests", type_=ARRAY(sa.LargeBinary)),
    bindparam("statuses", type_=ARRAY(sa.SmallInteger)),
    bindparam("deadlines", type_=ARRAY(sa.TIMESTAMP(timezone=True))),
    bindparam("payloads", type_=ARRAY(sa.LargeBinary)),
    bindparam("secrets", type_=ARRAY(sa.LargeBinary)),
    bindparam("holders", type_=ARRAY(sa.LargeBinary)),
)

# The moment is a subquery, so that it is read once and the index can be searched with it.
LEASE = sa.text("""
WITH due AS (
    SELECT table_id, deadline_at FROM table_head
    WHERE deadline_at <= (SELECT clock_timestamp())
        AND (leased_until IS NULL OR leased_until <= (SELECT clock_timestamp()))
    ORDER BY deadline_at
    LIMIT :limit
    FOR UPDATE SKIP LOCKED
), leased AS (
    UPDATE table_head AS head SET leased_until = clock_timestamp() + :lease
    FROM due WHERE head.table_id = due.table_id
    RETURNING head.table_id, head.deadline_at
)
SELECT clock_timestamp(), leased.table_id
FROM (VALUES (1)) AS always (n) LEFT JOIN leased ON true
ORDER BY leased.deadline_at
""").bindparams(bindparam("limit", type_=sa.Integer), bindparam("lease", type_=sa.Interval))

# One row, which all processes write: whoever finds that nobody has for long says when that was over.
ATTEND = sa.text("""
INSERT INTO attendance AS last (id, attended_at) VALUES (1, clock_timestamp())
ON CONFLICT (id) DO UPDATE SET
    resumed_at = CASE
        WHEN clock_timestamp() - last.attended_at > :gap THEN clock_timestamp() ELSE last.resumed_at
    END,
    attended_at = clock_timestamp()
RETURNING clock_timestamp(), resumed_at
""").bindparams(bindparam("gap", type_=sa.Interval))

# The rows of others that their owners are writing just now are passed by: they are at work.
MUSTER = sa.text("""
WITH own AS (
    INSERT INTO table_process (id, attended_at) VALUES (:process, clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET attended_at = clock_timestamp(), leased_until = NULL
), lost AS (
    SELECT id FROM table_process
    WHERE id <> :process
        AND attended_at < clock_timestamp() - :silence
        AND (leased_until IS NULL OR leased_until <= clock_timestamp())
        AND EXISTS (
            SELECT FROM attendance
            WHERE attended_at >= clock_timestamp() - :late
                AND (resumed_at IS NULL OR resumed_at < clock_timestamp() - :silence)
        )
    FOR UPDATE SKIP LOCKED
), leased AS (
    UPDATE table_process AS process SET leased_until = clock_timestamp() + :lease
    FROM lost WHERE process.id = lost.id
    RETURNING process.id
)
SELECT clock_timestamp(), leased.id FROM (VALUES (1)) AS always (n) LEFT JOIN leased ON true
""").bindparams(
    bindparam("process", type_=sa.LargeBinary),
    bindparam("silence", type_=sa.Interval),
    bindparam("late", type_=sa.Interval),
    bindparam("lease", type_=sa.Interval),
)

STRIKE_OFF = sa.text(
    "DELETE FROM table_process WHERE id = :process AND attended_at < clock_timestamp() - :silence"
).bindparams(bindparam("process", type_=sa.LargeBinary), bindparam("silence", type_=sa.Interval))
