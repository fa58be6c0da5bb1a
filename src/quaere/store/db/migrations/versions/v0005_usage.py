"""What deleted runs took, so that deleting does not free a quota; shared runs by their links.

Revision: 0005, after 0004.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the index."""
    op.create_table(
        "deleted_usage",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("user_id", sa.String(length=255), nullable=False),
        sa.Column("org_id", sa.String(length=255)),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost_usd", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_deleted_usage"),
    )
    op.create_index("idx_deleted_usage_user", "deleted_usage", ["user_id", "day"])
    op.create_index("idx_tool_traces_share", "tool_traces", ["share"])


def downgrade() -> None:
    """Drop them, with all that they hold."""
    op.drop_index("idx_tool_traces_share", table_name="tool_traces")
    op.drop_table("deleted_usage")
