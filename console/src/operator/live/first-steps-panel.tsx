import type { FirstSteps } from '../../../../src/management/first-steps/schema.ts';
import { useAsk } from '../../api/use-ask.ts';
import { Checklist, type ChecklistStep } from '../../parts/checklist.tsx';

interface FirstStepsPanelProps {
  readonly refresh: { readonly everyMs?: number };
}

/** What an operator does on an empty exchange; gone with the first impression. */
export function FirstStepsPanel({ refresh }: FirstStepsPanelProps) {
  const asked = useAsk('/api/first-steps/', {}, refresh);
  const found = asked.data?.body;
  if (found === undefined || found.is_done) return null;
  return (
    <Checklist
      title="First steps"
      description="Until this exchange has shown its first ad; then this list disappears."
      steps={found.steps.map((each) => stepOf(each, found))}
    />
  );
}

function stepOf(
  { step, is_done: isDone }: FirstSteps['steps'][number],
  {
    demand_partner_id: partner,
    publisher_id: publisher,
    ad_space_id: adSpace,
  }: Pick<FirstSteps, 'demand_partner_id' | 'publisher_id' | 'ad_space_id'>,
): ChecklistStep {
  const publishers = '/operator/publishers';
  const ofPublisher = publisher === null ? publishers : `/publishers/${publisher}`;
  switch (step) {
    case 'demand_partner':
      return {
        isDone,
        title: 'Add a demand partner',
        to: '/operator/demand-partners/new',
        help: 'Who buys. It gets a line item that takes all traffic.',
      };
    case 'bidder_test':
      return {
        isDone,
        title: 'Have its bidder answer a test request',
        to: partner === null ? '/operator/demand-partners' : `/demand-partners/${partner}/bidder`,
        help: 'Set the address that is asked for bids, and send a test request. It is not billed or counted.',
      };
    case 'publisher':
      return {
        isDone,
        title: 'Add a publisher',
        to: `${publishers}/new`,
        help: 'Who sells, and its share.',
      };
    case 'ad_space':
      return {
        isDone,
        title: 'Add an app or a site with an ad space',
        to: publisher === null ? publishers : `${ofPublisher}/ad-spaces/new`,
        help: 'Where ads appear: its formats, sizes and floor.',
      };
    case 'ad_request':
      return {
        isDone,
        title: 'Receive the first ad request',
        help: 'Copy the tag of the ad space into a page or app, or send it an OpenRTB request.',
        ...(adSpace === null
          ? { to: ofPublisher }
          : { to: `${ofPublisher}/ad-spaces/${adSpace}`, search: { tab: 'tags' } }),
      };
    case 'impression':
      return {
        isDone,
        title: 'Count the first impression',
        to: '/operator/auctions',
        help: 'If ad requests come and nothing is shown, an auction says why.',
      };
  }
}
