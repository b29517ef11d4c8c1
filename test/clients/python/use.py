"""Uses the API of control as a partner's program does that was written against a generated client.

python use.py URL CLIENT_ID CLIENT_SECRET REPORT_TOKEN PARTNER DATE prints what it did as JSON.
"""

import base64
import datetime
import json
import sys

from rialto_client import AuthenticatedClient, Client
from rialto_client.api.identity import get_self
from rialto_client.api.inventory import discover_inventory
from rialto_client.api.line_items import (
    create_line_item,
    list_line_items,
    query_kpis,
    update_line_item,
)
from rialto_client.api.reports import get_demand_report
from rialto_client.api.tokens import issue_token
from rialto_client.models import (
    AKPIRequest,
    DemandReport,
    IssueTokenBody,
    LineItem,
    LineItemFields,
    LineItemFieldsStatus,
    NewLineItem,
    Problem,
    Self,
    Targeting,
    TokenAnswer,
)


def given(kind, answer):
    """The answer, which is of the kind that was asked for."""
    if not isinstance(answer, kind):
        raise TypeError(f"not what was asked for: {answer}")
    return answer


url, client_id, client_secret, report_token, partner, date = sys.argv[1:]
partner = int(partner)
day = datetime.date.fromisoformat(date)

basic = base64.b64encode(f"{client_id}:{client_secret}".encode()).decode()
application = AuthenticatedClient(base_url=url, token=basic, prefix="Basic")
token = given(
    TokenAnswer,
    issue_token.sync(
        client=application,
        body=IssueTokenBody.from_dict({"grant_type": "client_credentials", "scope": "write"}),
    ),
)
client = AuthenticatedClient(base_url=url, token=token.access_token)
myself = given(Self, get_self.sync(client=client))

new = NewLineItem.from_dict(
    {
        "name": "Of a client",
        "targeting": {"os": {"identifiers": [{"code": "iOS"}], "is_whitelist": True}},
    }
)
made = given(
    LineItem,
    create_line_item.sync(partner, client=client, body=new, idempotency_key=f"python-{date}"),
)
changed = given(
    LineItem,
    update_line_item.sync(
        partner, made.id, client=client, body=LineItemFields(status=LineItemFieldsStatus.PAUSED)
    ),
)
problem = given(
    Problem,
    update_line_item.sync(partner, made.id, client=client, body=LineItemFields(name="")),
)
items = given(list, list_line_items.sync(partner, client=client))
kpis = given(
    list,
    query_kpis.sync(partner, client=client, body=AKPIRequest(start_date=day, end_date=day)),
)
geo = {"countries": {"identifiers": [{"code": "US"}], "is_whitelist": True}}
discovery = discover_inventory.sync(client=client, body=Targeting.from_dict({"geo": geo}))
# The generated client knows of no parameter that is a secret: it stands in the address.
reports = Client(base_url=url, httpx_args={"params": {"account_auth_token": report_token}})
report = given(DemandReport, get_demand_report.sync(client=reports, start_date=day, end_date=day))

print(
    json.dumps(
        {
            "partner": myself.association.entity_id,
            "line_item_status": changed.status.value,
            "problem_code": problem.code.value,
            "problem_pointer": problem.errors[0].pointer,
            "has_line_item": any(item.id == made.id for item in items),
            "kpi_requests": sum(row.dsp_requests for row in kpis),
            "discovery_days": len(discovery.days),
            "report_requests": report.data[0].dsp_requests,
        }
    )
)
