"""The first tables.

Revision: 0001, the first one.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    _tool_traces()
    _run_events()
    _pages()
    _run_sources()
    _run_citations()
    _findings()
    _chat_messages()
    _answers()
    _api_keys()


def downgrade() -> None:
    """Drop the tables, with all that is in them."""
    for name in (
        "api_keys",
        "answers",
        "chat_messages",
        "findings",
        "run_citations",
        "run_sources",
        "pages",
        "run_events",
        "tool_traces",
    ):
        op.drop_table(name)


def _tool_traces() -> None:
    op.create_table(
        "tool_traces",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=255), nullable=False),
        sa.Column("org_id", sa.String(length=255)),
        sa.Column("tool_name", sa.String(length=100), nullable=False),
        sa.Column("input_params", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(length=50), nullable=False),
        sa.Column("progress", sa.Float(), server_default="0", nullable=False),
        sa.Column("current_stage", sa.Text()),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.Column("result", sa.JSON(none_as_null=True)),
        sa.Column("error_message", sa.Text()),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True)),
        sa.Column("completed_at", sa.DateTime(timezone=True)),
        sa.Column("metrics", sa.JSON(), nullable=False),
        sa.Column("graph_version", sa.String(length=64)),
        sa.Column("fence", sa.Integer(), server_default="0", nullable=False),
        sa.Column("lease_owner", sa.String(length=255)),
        sa.Column("lease_until", sa.DateTime(timezone=True)),
        sa.Column("last_seq", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tool_traces")),
    )
    op.create_index("idx_tool_traces_created_at", "tool_traces", ["created_at"])
    op.create_index("idx_tool_traces_status", "tool_traces", ["status"])
    op.create_index(
        "idx_tool_traces_user_tool", "tool_traces", ["user_id", "tool_name", "created_at"]
    )


def _run_events() -> None:
    op.create_table(
        "run_events",
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("type", sa.String(length=50), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["tool_traces.id"], name=op.f("fk_run_events_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "seq", name=op.f("pk_run_events")),
    )


def _pages() -> None:
    op.create_table(
        "pages",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("chars", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_pages")),
    )


def _run_sources() -> None:
    op.create_table(
        "run_sources",
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("passage", sa.String(length=64), nullable=False),
        sa.Column("evidence", sa.Integer(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("locator", sa.Text(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("page_hash", sa.String(length=64)),
        sa.Column("retrieved_at", sa.Text(), nullable=False),
        sa.Column("published", sa.Text(), nullable=False),
        sa.Column("provided", sa.Boolean(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["page_hash"], ["pages.hash"], name=op.f("fk_run_sources_page_hash")
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["tool_traces.id"], name=op.f("fk_run_sources_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "passage", name=op.f("pk_run_sources")),
    )
    op.create_index(op.f("idx_run_sources_page_hash"), "run_sources", ["page_hash"])


def _run_citations() -> None:
    op.create_table(
        "run_citations",
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("evidence", sa.Integer(), nullable=False),
        sa.Column("passage", sa.String(length=64), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("location", sa.Text(), nullable=False),
        sa.Column("quote", sa.Text(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["tool_traces.id"], name=op.f("fk_run_citations_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "id", name=op.f("pk_run_citations")),
    )


def _findings() -> None:
    op.create_table(
        "findings",
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("item", sa.Text()),
        sa.Column("statement", sa.Text(), nullable=False),
        sa.Column("support", sa.String(length=50), nullable=False),
        sa.Column("probability", sa.Float()),
        sa.Column("evidence", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["tool_traces.id"], name=op.f("fk_findings_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "number", name=op.f("pk_findings")),
    )


def _chat_messages() -> None:
    op.create_table(
        "chat_messages",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("conversation_id", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=255), nullable=False),
        sa.Column("org_id", sa.String(length=255)),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("citations", sa.JSON(), nullable=False),
        sa.Column("trace_id", sa.String(length=64)),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["trace_id"],
            ["tool_traces.id"],
            name=op.f("fk_chat_messages_trace_id"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_messages")),
    )
    op.create_index(
        "idx_chat_messages_conversation", "chat_messages", ["conversation_id", "created_at"]
    )
    op.create_index(op.f("idx_chat_messages_trace_id"), "chat_messages", ["trace_id"])


def _answers() -> None:
    op.create_table(
        "answers",
        sa.Column("trace_id", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=255), nullable=False),
        sa.Column("org_id", sa.String(length=255)),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("normalized", sa.Text(), nullable=False),
        sa.Column("names", sa.JSON(), nullable=False),
        sa.Column("dates", sa.JSON(), nullable=False),
        sa.Column("profile", sa.String(length=50), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("fresh_until", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(
            ["trace_id"], ["tool_traces.id"], name=op.f("fk_answers_trace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("trace_id", name=op.f("pk_answers")),
    )
    op.create_index("idx_answers_user", "answers", ["user_id", "created_at"])


def _api_keys() -> None:
    op.create_table(
        "api_keys",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=255), nullable=False),
        sa.Column("org_id", sa.String(length=255)),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("hash", sa.String(length=128), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True)),
        sa.Column("expires_at", sa.DateTime(timezone=True)),
        sa.Column("revoked_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_keys")),
        sa.UniqueConstraint("hash", name=op.f("uq_api_keys_hash")),
    )
    op.create_index(op.f("idx_api_keys_user_id"), "api_keys", ["user_id"])
