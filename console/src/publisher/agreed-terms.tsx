import { Table } from '@mantine/core';
import type { ShownPublisher } from '../../../src/management/publishers/schema.ts';
import { formatPart, NOTHING } from '../parts/format.ts';
import { categoryLabel } from '../parts/forms/codes.ts';
import { Section } from '../parts/forms/section.tsx';

/** What the publisher has agreed on with the operator, who alone changes it. */
export function AgreedTerms({ publisher }: { readonly publisher: ShownPublisher }) {
  return (
    <Section
      title="Agreed with the operator"
      description="Ask the operator of the exchange to change any of it."
    >
      <Table aria-label="Agreed with the operator" verticalSpacing={6}>
        <Table.Tbody>
          {termsOf(publisher).map(([label, value]) => (
            <Table.Tr key={label}>
              <Table.Th scope="row" w="40%" fw={500}>
                {label}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

const TRAFFIC = {
  ignore: 'is treated like any other',
  mark: 'is marked, and earns nothing',
  refuse: 'is refused',
} as const;

function termsOf(publisher: ShownPublisher): readonly (readonly [string, string])[] {
  const { revenue_share: share, price_basis: basis, invalid_traffic: traffic } = publisher;
  return [
    ['Revenue share', formatPart(share)],
    [
      'Prices in OpenRTB answers',
      basis === 'net' ? 'net: what you get' : 'gross: what the buyer pays',
    ],
    [
      'A win counts',
      publisher.confirms_wins ? 'once you confirm it' : 'as soon as the exchange answers',
    ],
    [
      'What lost',
      publisher.seat_non_bids === 'none' ? 'is not told' : 'is told to requests that ask for it',
    ],
    [
      'Creatives',
      publisher.creative_review === 'required'
        ? 'are shown only once they are approved'
        : 'are shown unless they are blocked',
    ],
    ['Spiders and data centers', traffic === null ? 'as the exchange decides' : TRAFFIC[traffic]],
    ['Seller id', publisher.seller_id ?? `${publisher.id}, your id`],
    ['Seller type', publisher.seller_type],
    ['Other ids in requests', listed(publisher.aliases)],
    ['Domain', publisher.domain ?? NOTHING],
    ['Categories', listed(publisher.categories.map((code) => categoryLabel(code)))],
    [
      'Names of you and your apps',
      publisher.hide_names ? 'hidden from bidders' : 'told to bidders',
    ],
  ];
}

function listed(texts: readonly string[]): string {
  return texts.length === 0 ? NOTHING : texts.join(', ');
}
