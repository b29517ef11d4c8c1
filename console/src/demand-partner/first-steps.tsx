import type { ShownLineItem } from '../../../src/management/line-items/schema.ts';
import { Checklist } from '../parts/checklist.tsx';
import { pagesOf } from './partner.ts';

interface FirstStepsProps {
  readonly partnerId: string;
  readonly hasBidder: boolean;
  readonly lineItems: readonly ShownLineItem[];
}

/** What a demand partner without any traffic does to get some. */
export function FirstSteps({ partnerId, hasBidder, lineItems }: FirstStepsProps) {
  const pages = pagesOf(partnerId);
  const isActive = lineItems.some(({ status }) => status === 'ACTIVE');
  return (
    <Checklist
      title="Start buying"
      description="No bid request has matched in the past two weeks. These steps bring the first one."
      steps={[
        {
          isDone: hasBidder,
          title: 'Set the bidder',
          to: `${pages}/bidder`,
          help: 'The address that the exchange asks for bids, its time limit and the version of OpenRTB.',
        },
        {
          isDone: null,
          title: 'Send a test request',
          to: `${pages}/bidder`,
          help: 'See what your bidder is sent, what it answers, and what is wrong with the answer. Nothing of it is billed or counted.',
        },
        {
          isDone: isActive,
          title: 'Activate a line item',
          to: `${pages}/line-items`,
          help: 'It says which traffic you take. One without targeting takes all of it.',
        },
        {
          isDone: null,
          title: 'See what your targeting meets',
          to: `${pages}/discovery`,
          help: 'How many ad requests of the past seven days a line item would have matched. If there are none, widen its targeting.',
        },
      ]}
    />
  );
}
