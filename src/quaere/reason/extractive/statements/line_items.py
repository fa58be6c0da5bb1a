"""Lines of financial statements, the ways in which they are worded, and what is made of them.

The wordings are our own, read off the statements of companies that file with the SEC and off the
questions people ask about them. Which of them are one concept follows the US-GAAP taxonomy of the
Financial Accounting Standards Board (2023), whose elements the names on the left stand for. The
formulas are those of textbooks on the analysis of financial statements.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Statement(StrEnum):
    """The primary statement in which a line stands."""

    BALANCE = "balance sheet"
    INCOME = "statement of income"
    CASH = "statement of cash flows"


@dataclass(frozen=True, slots=True)
class LineItem:
    """A line of a statement."""

    name: str
    statement: Statement | None
    wordings: tuple[str, ...]
    """Labels that it bears, and words that ask for it; the usual one first."""
    paid: bool = False
    """Whether it is an expense or a payment, whose amount may be printed as a negative figure."""


def _items(statement: Statement, table: str, *paid: str) -> Iterable[LineItem]:
    for line in table.strip().splitlines():
        wordings = tuple(wording.strip() for wording in line.split(";"))
        yield LineItem(wordings[0], statement, wordings, wordings[0] in paid)


_INCOME = """
revenue; revenues; total revenue; total revenues; net sales; total net sales; sales; net revenue; net revenues; total net revenue; total net revenues; net operating revenues; sales and revenues; total sales; topline; top line
cost of sales; cost of goods sold; cost of revenue; cost of revenues; total cost of revenue; total cost of revenues; total cost of sales; cogs; cost of products sold; cost of merchandise sold; total costs of sales
gross profit; total gross profit
operating income; income from operations; operating profit; earnings from operations; operating earnings; profit from operations; operating loss; loss from operations; total operating income; ebit; earnings before interest and taxes
net income; net earnings; consolidated net income; net loss; net profit; net earnings including noncontrolling interests
net income attributable to shareholders; net earnings attributable to; net income attributable to; consolidated net income attributable to; net income attributable to common shareholders; net earnings attributable to common shareholders; net income attributable to common stockholders; net income attributable to stockholders
income tax expense; provision for income taxes; income taxes; income tax provision; income tax; taxes on income; provision for taxes; provision for taxes on income
income before taxes; income before income taxes; earnings before income taxes; income before provision for income taxes; earnings before provision for taxes on income; earnings before taxes; pretax income; pre tax income; profit before tax; earnings before income taxes and after tax earnings from joint ventures
interest expense; interest and debt expense; interest expense net; net interest expense; interest and other debt expense
selling, general and administrative expenses; sg&a; selling general and administrative; operating selling general and administrative expenses; selling and administrative expense; total selling and administrative expense; general and administrative; sg&a expense; sg&a expenses
research and development; r&d; research and development expense; research and development expenses; research development and engineering expenses; r&d expense; r&d expenses; product development
diluted earnings per share; diluted eps; diluted net income per share; diluted net earnings per share; eps diluted; earnings per share diluted
basic earnings per share; basic eps; basic net income per share; earnings per share basic
dividends declared per share; dividends per share; cash dividends declared per common share; dividends declared per common share
operating expenses; total operating expenses; total costs and expenses
"""  # noqa: E501 - a line an item
_BALANCE = """
total assets
total current assets; current assets
total liabilities
total current liabilities; current liabilities
total equity; total shareholders equity; total stockholders equity; shareholders equity; stockholders equity; total shareowners equity; shareholders investment; total shareholders investment; total equity including noncontrolling interests
inventories; inventory; merchandise inventories; merchandise inventory; inventories net; net inventory; net inventories; total inventories
accounts receivable; accounts receivable net; receivables; receivables net; trade receivables; trade receivables net; net accounts receivable; trade accounts receivable net; accounts and notes receivable net; net ar
accounts payable; trade accounts payable; trade payables; accounts payable trade
property, plant and equipment, net; property and equipment net; property plant and equipment; net property plant and equipment; property and equipment; ppe; pp&e; net pp&e; net ppe; ppne; net ppne; pp&e net; property net; land buildings and equipment; fixed assets; net fixed assets; property plant and equipment net of accumulated depreciation
cash and cash equivalents; cash; cash & cash equivalents; cash and equivalents
short-term investments; marketable securities; short term marketable securities; current marketable securities; short term and other investments
long-term debt; long term debt net; long term debt net of current portion; long term debt less current portion; non current debt
goodwill; goodwill net
retained earnings; retained earnings accumulated deficit; accumulated deficit; reinvested earnings
deferred revenue; current deferred revenue; unearned revenue
accrued liabilities; accrued expenses; accrued expenses and other current liabilities
prepaid expenses; prepaid expenses and other current assets; prepaid expenses and other; other current assets
total liabilities and equity; total liabilities and shareholders equity; total liabilities and stockholders equity
"""  # noqa: E501
_CASH = """
net cash provided by operating activities; cash flow from operating activities; cash from operations; operating cash flow; cash flow from operations; cash flows from operating activities; net cash used in operating activities; total cash provided by operating activities; net cash provided by operations; cash provided by operations; net cash from operations; net cash from operating activities; cfo; net cash flow from operating activities
net cash used in investing activities; cash flow from investing activities; net cash provided by investing activities; cash flows from investing activities; net cash used for investing activities; net cash used by investing activities; investing cash flow
net cash used in financing activities; cash flow from financing activities; net cash provided by financing activities; cash flows from financing activities; net cash used for financing activities; net cash used by financing activities; financing cash flow
capital expenditures; capital expenditure; purchases of property and equipment; purchases of property plant and equipment; additions to property plant and equipment; additions to property and equipment; purchase of property and equipment; purchase of property plant and equipment; payments for property and equipment; purchases of land buildings and equipment; payments for property plant and equipment; property plant and equipment additions; capital spending; capex; additions to properties; payments to acquire property plant and equipment; expenditures for property and equipment
depreciation and amortization; depreciation and amortisation; depreciation amortization and other; d&a; depreciation amortization; depreciation; depreciation and amortization of property equipment and intangibles; depreciation amortization and accretion
dividends paid; cash dividends paid; dividends; payment of dividends; payments of dividends; payments of cash dividends; cash dividends; total cash dividends paid; dividends common and preferred; dividends on common stock; dividends paid to shareholders
share repurchases; repurchase of common stock; repurchases of common stock; purchases of treasury stock; purchase of company stock; common stock repurchased; stock repurchases; share buybacks; purchases of common stock for treasury; common shares repurchased
stock-based compensation; stock based compensation expense; share based compensation; share based compensation expense; share based plans expense; stock based compensation and related
acquisitions; acquisitions net of cash acquired; payments for business acquisitions; business acquisitions net of cash acquired
"""  # noqa: E501

LINE_ITEMS: tuple[LineItem, ...] = (
    *_items(
        Statement.INCOME, _INCOME, "cost of sales", "income tax expense", "interest expense",
        "selling, general and administrative expenses", "research and development",
        "operating expenses",
    ),
    *_items(Statement.BALANCE, _BALANCE),
    *_items(
        Statement.CASH, _CASH, "capital expenditures", "dividends paid", "share repurchases",
        "acquisitions",
    ),
)  # fmt: skip

EVERYDAY: Mapping[str, tuple[str, ...]] = {
    "revenue": (
        "take in", "takes in", "took in", "taken in", "turnover", "turn over", "turned over",
        "money coming in", "money came in", "money that came in",
    ),
    "net income": (
        "profit", "profits", "earn", "earns", "earned", "bottom line", "profit after tax",
        "left after tax", "left over after tax",
    ),
    "income tax expense": ("pay in tax", "pay in taxes", "paid in tax", "paid in taxes"),
    "research and development": (
        "spend on research", "spent on research", "spend researching", "spent researching",
        "research spending", "put into research",
    ),
    "total assets": ("own", "owns", "owned", "possess", "possesses", "possessed"),
    "total liabilities": ("owe", "owes", "owed"),
    "cash and cash equivalents": (
        "hold in cash", "held in cash", "have in cash", "had in cash", "money in the bank",
        "cash in hand", "cash at bank", "keep in cash", "kept in cash",
    ),
    "total equity": ("net assets", "book value"),
    "dividends paid": (
        "pay in dividends", "paid in dividends", "pay out in dividends", "paid out in dividends",
        "paid out to shareholders", "pay out to shareholders", "handed out to shareholders",
    ),
    "share repurchases": (
        "buy back shares", "buying back shares", "bought back shares", "buying back its shares",
        "buying back its own shares", "buybacks",
    ),
}  # fmt: skip
"""Words of everyday speech that ask for a line and are the label of none, by its name."""

FORMULAS: Mapping[str, str] = {
    name.strip(): formula.strip()
    for names, formula in {
        "working capital ratio; current ratio": "total current assets / total current liabilities",
        "net working capital; working capital": "total current assets - total current liabilities",
        "quick ratio; acid test ratio": (
            "(total current assets - inventories) / total current liabilities"
        ),
        "gross margin; gross profit margin": "(revenue - cost of sales) / revenue",
        "operating margin; operating profit margin; operating income margin": (
            "operating income / revenue"
        ),
        "net margin; net profit margin; net income margin": "net income / revenue",
        "ebitda": "operating income + depreciation and amortization",
        "ebitda margin": "(operating income + depreciation and amortization) / revenue",
        "free cash flow; fcf": "net cash provided by operating activities - capital expenditures",
        "free cash flow margin": (
            "(net cash provided by operating activities - capital expenditures) / revenue"
        ),
        "return on assets; roa": "net income / average total assets",
        "return on equity; roe": "net income / average total equity",
        "asset turnover; asset turnover ratio; total asset turnover": (
            "revenue / average total assets"
        ),
        "fixed asset turnover; fixed asset turnover ratio": (
            "revenue / average property, plant and equipment, net"
        ),
        "inventory turnover; inventory turnover ratio": "cost of sales / average inventories",
        "days inventory outstanding; dio": "365 * average inventories / cost of sales",
        "days sales outstanding; dso": "365 * average accounts receivable / revenue",
        "days payable outstanding; days payables outstanding; dpo": (
            "365 * average accounts payable / (cost of sales + change in inventories)"
        ),
        "cash conversion cycle; ccc": (
            "365 * average inventories / cost of sales"
            " + 365 * average accounts receivable / revenue"
            " - 365 * average accounts payable / (cost of sales + change in inventories)"
        ),
        "effective tax rate; tax rate": "income tax expense / income before taxes",
        "interest coverage; interest coverage ratio": "operating income / interest expense",
        "dividend payout ratio; payout ratio": (
            "dividends paid / net income attributable to shareholders"
        ),
        "retention ratio": (
            "(net income attributable to shareholders - dividends paid)"
            " / net income attributable to shareholders"
        ),
        "operating cash flow ratio; cash flow ratio": (
            "net cash provided by operating activities / total current liabilities"
        ),
        "debt to equity ratio": "total liabilities / total equity",
        "capital intensity ratio": "total assets / revenue",
    }.items()
    for name in names.split(";")
}
"""What ratios and sums are made of, by the names of lines; "average" and "change in" are over a
year and the one before it."""
