"""An index in the order in which runs are taken, what was given up, workers and switches.

Revision: 0006, after 0005.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the index, and add a column and two tables."""
    op.drop_index("idx_jobs_queue", "jobs")
    op.create_index("idx_jobs_queue", "jobs", [sa.desc("priority"), "queued_at", "run_id"])
    op.add_column("jobs", sa.Column("given_up_at", sa.DateTime(timezone=True)))
    op.create_table(
        "workers",
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("version", sa.String(length=64), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("busy", sa.Integer(), nullable=False),
        sa.Column("ended", sa.Integer(), nullable=False),
        sa.Column("takeovers", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("drain", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_workers"),
    )
    op.create_index("idx_workers_seen_at", "workers", ["seen_at"])
    op.create_table(
        "switches",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_switches"),
    )


def downgrade() -> None:
    """Drop them; runs that were given up are forgotten."""
    op.drop_table("switches")
    op.drop_table("workers")
    op.execute("DELETE FROM jobs WHERE given_up_at IS NOT NULL")
    op.drop_column("jobs", "given_up_at")
    op.drop_index("idx_jobs_queue", "jobs")
    op.create_index("idx_jobs_queue", "jobs", ["priority", "queued_at"])
