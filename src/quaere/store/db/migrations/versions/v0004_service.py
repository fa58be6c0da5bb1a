"""What a service keeps besides runs: keys with scopes, conversations, folders, tags and replies.

Revision: 0004, after 0003.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add columns and tables."""
    # Not in a batch: SQLite would copy the tables, and cascade the end of the old ones.
    op.add_column("tool_traces", sa.Column("tags", sa.JSON()))
    pinned = sa.Column("pinned", sa.Boolean(), server_default=sa.false(), nullable=False)
    op.add_column("tool_traces", pinned)
    op.add_column("tool_traces", sa.Column("share", sa.String(length=64)))
    op.add_column("api_keys", sa.Column("prefix", sa.String(length=16)))
    op.add_column("api_keys", sa.Column("scopes", sa.JSON()))
    op.add_column("api_keys", sa.Column("limits", sa.JSON()))
    op.add_column("jobs", sa.Column("reply", sa.Text()))
    op.create_table(
        "conversations",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=255), nullable=False),
        sa.Column("org_id", sa.String(length=255)),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_conversations"),
    )
    op.create_index("idx_conversations_user", "conversations", ["user_id", "updated_at"])
    op.create_table(
        "folders",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=255), nullable=False),
        sa.Column("org_id", sa.String(length=255)),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_folders"),
    )
    op.create_index("idx_folders_user", "folders", ["user_id", "created_at"])
    op.create_table(
        "idempotency_keys",
        sa.Column("user_id", sa.String(length=255), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "key", name="pk_idempotency_keys"),
    )
    op.create_index("idx_idempotency_keys_created_at", "idempotency_keys", ["created_at"])


def downgrade() -> None:
    """Drop them, with all that they hold."""
    op.drop_table("idempotency_keys")
    op.drop_table("folders")
    op.drop_table("conversations")
    op.drop_column("jobs", "reply")
    for name in ("limits", "scopes", "prefix"):
        op.drop_column("api_keys", name)
    for name in ("share", "pinned", "tags"):
        op.drop_column("tool_traces", name)
