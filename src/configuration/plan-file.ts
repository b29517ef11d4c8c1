import type { FileContents } from './file.ts';
import { Plan } from './plan.ts';
import { planAccount } from './resources/account.ts';
import { planAdSpace } from './resources/ad-space.ts';
import { planApplication } from './resources/application.ts';
import { noteGuardedEndpoint, planBidder } from './resources/bidder.ts';
import { checkDeals, planDeal } from './resources/deal.ts';
import { planDemandPartner } from './resources/demand-partner.ts';
import { planExchange } from './resources/exchange.ts';
import { checkSeats, planDefaultLineItems, planLineItem } from './resources/line-item.ts';
import { planApp, planSite } from './resources/property.ts';
import { planPublisher } from './resources/publisher.ts';
import { planUser } from './resources/user.ts';
import type { State } from './state.ts';

/**
 * What a file changes in a store that is in the given state, which becomes the one afterwards.
 * Owners are planned before what belongs to them, and the writes stand in that order.
 */
export function planFile(file: FileContents, state: State): Plan {
  const plan = new Plan(state);
  if (file.exchange !== undefined) planExchange(plan, file.exchange);
  planDemand(plan, file);
  planSupply(plan, file);
  for (const deal of file.deals) planDeal(plan, deal);
  for (const { element, owner } of file.users) planUser(plan, element, owner);
  for (const { element, owner } of file.applications) planApplication(plan, element, owner);
  for (const account of file.accounts) planAccount(plan, account, account.owner);
  checkSeats(plan);
  checkDeals(plan, file.named);
  return plan;
}

function planDemand(plan: Plan, file: FileContents): void {
  for (const partner of file.demandPartners) planDemandPartner(plan, partner);
  for (const { element, owner } of file.bidders) {
    planBidder(plan, element, owner);
    const row = plan.state.bidders.get(owner);
    if (row !== undefined) noteGuardedEndpoint(plan, row, element.path);
  }
  for (const { element, owner } of file.lineItems) planLineItem(plan, element, owner);
  planDefaultLineItems(plan);
}

function planSupply(plan: Plan, file: FileContents): void {
  for (const publisher of file.publishers) planPublisher(plan, publisher);
  for (const { element, owner } of file.apps) planApp(plan, element, owner);
  for (const { element, owner } of file.sites) planSite(plan, element, owner);
  for (const { element, owner } of file.adSpaces) planAdSpace(plan, element, owner);
}
