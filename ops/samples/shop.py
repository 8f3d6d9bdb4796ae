"""A shop that doesn't exist, for a support conversation whose tools really answer.

    echo '{"order_id": "KL-2026-104871"}' | python shop.py get_order

Arguments come as JSON on standard input, the answer is JSON on standard output. Returns are remembered in a file beside
the folder it is started in, so that an order shows them afterwards.
"""

import json
import sys
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

Record = dict[str, Any]

TODAY = date(2026, 11, 16)
RETURN_DAYS = 30
RETURNS = Path("../returns.json")

ARTICLES: dict[str, Record] = {
    "MW-450": {"name": "Kaffeemühle Granit 450", "price_eur": "349.90", "stock": 6, "next_delivery": "2026-11-24"},
    "MW-450-S": {"name": "Mahlscheiben 54 mm für Granit 450", "price_eur": "39.00", "stock": 0,
                 "next_delivery": "2026-11-27"},
    "EK-12": {"name": "Entkalker, 500 ml", "price_eur": "12.50", "stock": 240, "next_delivery": None},
    "SB-2": {"name": "Siebträger, zwei Ausläufe", "price_eur": "64.90", "stock": 11, "next_delivery": None},
    "TM-58": {"name": "Tampermatte 58 mm", "price_eur": "18.00", "stock": 35, "next_delivery": None},
}  # fmt: skip
ORDERS: dict[str, Record] = {
    "KL-2026-104871": {
        "placed_on": "2026-10-30", "delivered_on": "2026-11-03", "status": "delivered", "payment": "PayPal",
        "customer": {"name": "Selin Ayd\u0131n", "email": "selin.aydin@example.org", "city": "44135 Dortmund"},
        "items": [{"sku": "MW-450", "quantity": 1}, {"sku": "EK-12", "quantity": 2}],
        "shipping_eur": "4.90", "voucher": {"code": "HERBST10", "percent": 10}, "parcel_id": "003404341234567890",
    },
    "KL-2026-105330": {
        "placed_on": "2026-11-09", "delivered_on": None, "status": "shipped", "payment": "PayPal",
        "customer": {"name": "Selin Ayd\u0131n", "email": "selin.aydin@example.org", "city": "44135 Dortmund"},
        "items": [{"sku": "SB-2", "quantity": 1}, {"sku": "TM-58", "quantity": 1}],
        "shipping_eur": "4.90", "voucher": None, "parcel_id": "003404349876543210",
    },
}  # fmt: skip
PARCELS: dict[str, list[Record]] = {
    "003404341234567890": [
        {"at": "2026-11-01T18:42", "place": "Hagen", "event": "accepted"},
        {"at": "2026-11-03T10:15", "place": "Dortmund", "event": "delivered", "to": "recipient"},
    ],
    "003404349876543210": [
        {"at": "2026-11-10T19:05", "place": "Hagen", "event": "accepted"},
        {"at": "2026-11-11T04:31", "place": "Bönen", "event": "sorted"},
        {"at": "2026-11-12T13:20", "place": "Dortmund", "event": "not_delivered",
         "reason": "address incomplete: house number missing"},
        {"at": "2026-11-13T09:02", "place": "Dortmund", "event": "at_branch",
         "branch": "Filiale 502, Kampstraße 41", "until": "2026-11-20"},
    ],
}  # fmt: skip


def list_orders(email: str) -> Record:
    """Return the orders of a customer, newest first."""
    found = [
        {"order_id": order_id, "placed_on": order["placed_on"], "status": order["status"], "total_eur": _total(order)}
        for order_id, order in ORDERS.items()
        if order["customer"]["email"] == email
    ]
    return {"email": email, "orders": found[::-1]}


def get_order(order_id: str) -> Record:
    """Return an order with its prices and returns."""
    order = ORDERS.get(order_id)
    if order is None:
        return {"error": "order_not_found", "order_id": order_id, "hint": "order ids look like KL-2026-000000"}
    items = [{**item, **_article(item["sku"])} for item in order["items"]]
    returns = [entry for entry in _returns() if entry["order_id"] == order_id]
    return {"order_id": order_id, **order, "items": items, "total_eur": _total(order), "returns": returns}


def track_parcel(parcel_id: str) -> Record:
    """Return what happened to a parcel."""
    return {"parcel_id": parcel_id, "events": PARCELS.get(parcel_id, [])}


def check_stock(sku: str) -> Record:
    """Return what is there of an article."""
    article = ARTICLES[sku]
    return {"sku": sku, "name": article["name"], "stock": article["stock"], "next_delivery": article["next_delivery"]}


def quote_refund(order_id: str, sku: str, quantity: int) -> Record:
    """Return what would be paid back, the voucher's share taken off."""
    order = ORDERS[order_id]
    gross = Decimal(ARTICLES[sku]["price_eur"]) * quantity
    discount = gross * Decimal((order["voucher"] or {}).get("percent", 0)) / 100
    last_day = date.fromisoformat(order["delivered_on"]) + timedelta(days=RETURN_DAYS)
    return {
        "order_id": order_id, "sku": sku, "quantity": quantity, "price_eur": f"{gross:.2f}",
        "voucher_share_eur": f"{-discount:.2f}", "refund_eur": f"{gross - discount:.2f}",
        "returnable_until": last_day.isoformat(), "in_time": last_day >= TODAY, "paid_by": order["payment"],
    }  # fmt: skip


def create_return(order_id: str, sku: str, quantity: int, reason: str, wish: str) -> Record:
    """Open a return and say where the label is."""
    entry = {
        "return_id": f"RT-{TODAY:%y%m%d}-{len(_returns()) + 417}", "order_id": order_id, "sku": sku,
        "quantity": quantity, "reason": reason, "wish": wish, "opened_on": TODAY.isoformat(),
        "send_by": (TODAY + timedelta(days=14)).isoformat(),
    }  # fmt: skip
    RETURNS.write_text(json.dumps([*_returns(), entry]), encoding="utf-8")
    return {**entry, "label_url": f"https://shop.example.org/returns/{entry['return_id']}/label.pdf"}


def correct_address(parcel_id: str, street: str, city: str) -> Record:
    """Ask the carrier for a second delivery to a corrected address."""
    return {
        "parcel_id": parcel_id,
        "street": street,
        "city": city,
        "accepted": True,
        "delivery": "2026-11-18",
        "window": "10-14",
    }


def _returns() -> list[Record]:
    return json.loads(RETURNS.read_text(encoding="utf-8")) if RETURNS.exists() else []


def _article(sku: str) -> Record:
    return {"name": ARTICLES[sku]["name"], "unit_price_eur": ARTICLES[sku]["price_eur"]}


def _total(order: Record) -> str:
    goods = sum((Decimal(ARTICLES[item["sku"]]["price_eur"]) * item["quantity"] for item in order["items"]), Decimal())
    discount = goods * Decimal((order["voucher"] or {}).get("percent", 0)) / 100
    return f"{goods - discount + Decimal(order['shipping_eur']):.2f}"


TOOLS: dict[str, Callable[..., Record]] = {
    tool.__name__: tool
    for tool in (list_orders, get_order, track_parcel, check_stock, quote_refund, create_return, correct_address)
}


if __name__ == "__main__":
    answer = TOOLS[sys.argv[1]](**json.load(sys.stdin))
    print(json.dumps(answer, ensure_ascii=False, indent=1))
