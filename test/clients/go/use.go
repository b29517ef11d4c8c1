// Uses the API of control as a partner's program does that was written against a generated client:
// use URL CLIENT_ID CLIENT_SECRET REPORT_TOKEN PARTNER DATE prints what it did as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"

	"rialto.example/client/rialto"

	"github.com/oapi-codegen/runtime/types"
)

func main() {
	url, clientID, secret, reportToken := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	partner, err := strconv.ParseInt(os.Args[5], 10, 64)
	check(err)
	at, err := time.Parse(time.DateOnly, os.Args[6])
	check(err)
	day := types.Date{Time: at}
	ctx := context.Background()

	anonymous, err := rialto.NewClientWithResponses(url)
	check(err)
	token, err := anonymous.IssueTokenWithFormdataBodyWithResponse(ctx, rialto.IssueTokenFormdataRequestBody{
		ClientId: &clientID, ClientSecret: &secret, GrantType: "client_credentials", Scope: ref("write"),
	})
	check(err)
	given(token.JSON200 != nil, token.Body)
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token.JSON200.AccessToken)
		return nil
	}
	client, err := rialto.NewClientWithResponses(url, rialto.WithRequestEditorFn(authorize))
	check(err)
	self, err := client.GetSelfWithResponse(ctx)
	check(err)
	given(self.JSON200 != nil, self.Body)

	made, err := client.CreateLineItemWithResponse(ctx, partner,
		&rialto.CreateLineItemParams{IdempotencyKey: ref("go-" + os.Args[6])},
		rialto.NewLineItem{Name: "Of a client"})
	check(err)
	given(made.JSON201 != nil, made.Body)
	paused := rialto.LineItemFieldsStatus("PAUSED")
	changed, err := client.UpdateLineItemWithResponse(ctx, partner, made.JSON201.Id,
		&rialto.UpdateLineItemParams{}, rialto.LineItemFields{Status: &paused})
	check(err)
	given(changed.JSON200 != nil, changed.Body)
	refused, err := client.UpdateLineItemWithResponse(ctx, partner, made.JSON201.Id,
		&rialto.UpdateLineItemParams{}, rialto.LineItemFields{Name: ref("")})
	check(err)
	given(refused.ApplicationproblemJSON400 != nil, refused.Body)
	items, err := client.ListLineItemsWithResponse(ctx, partner, &rialto.ListLineItemsParams{})
	check(err)
	given(items.JSON200 != nil, items.Body)
	has := false
	for _, item := range *items.JSON200 {
		has = has || item.Id == made.JSON201.Id
	}
	kpis, err := client.QueryKpisWithResponse(ctx, partner, rialto.KPIRequest{StartDate: day, EndDate: day})
	check(err)
	given(kpis.JSON200 != nil, kpis.Body)
	requests := 0
	for _, row := range *kpis.JSON200 {
		requests += int(row.DspRequests)
	}
	discovery, err := client.DiscoverInventoryWithResponse(ctx, rialto.Targeting{})
	check(err)
	given(discovery.JSON200 != nil, discovery.Body)
	withToken := func(_ context.Context, request *http.Request) error {
		query := request.URL.Query()
		query.Set("account_auth_token", reportToken)
		request.URL.RawQuery = query.Encode()
		return nil
	}
	report, err := anonymous.GetDemandReportWithResponse(ctx,
		&rialto.GetDemandReportParams{StartDate: day, EndDate: day}, withToken)
	check(err)
	given(report.JSON200 != nil && len(report.JSON200.Data) > 0, report.Body)

	problem := refused.ApplicationproblemJSON400
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"partner":          self.JSON200.Association.EntityId,
		"line_item_status": changed.JSON200.Status,
		"problem_code":     problem.Code,
		"problem_pointer":  problem.Errors[0].Pointer,
		"has_line_item":    has,
		"kpi_requests":     requests,
		"discovery_days":   len(discovery.JSON200.Days),
		"report_requests":  report.JSON200.Data[0].DspRequests,
	}))
}

func ref(text string) *string { return &text }

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func given(isGiven bool, body []byte) {
	if !isGiven {
		panic(fmt.Sprintf("not what was asked for: %s", body))
	}
}
