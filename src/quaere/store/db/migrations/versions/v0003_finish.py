"""Jobs whose search is to end, so that their answer is written from what is there.

Revision: 0003, after 0002.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    wanted = sa.Column("finish", sa.Boolean(), server_default=sa.false(), nullable=False)
    op.add_column("jobs", wanted)


def downgrade() -> None:
    """Drop the column."""
    with op.batch_alter_table("jobs") as jobs:
        jobs.drop_column("finish")
