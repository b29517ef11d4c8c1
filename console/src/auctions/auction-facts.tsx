import { SimpleGrid } from '@mantine/core';
import type { AuctionView } from '../../../src/management/auctions/schema.ts';
import { Id } from '../parts/copyable.tsx';
import { Fact } from '../parts/fact.tsx';

/** Where and for whom an auction was held. */
export function AuctionFacts({ auction }: { readonly auction: AuctionView }) {
  const { place, audience } = auction;
  const isWhole = auction.view === 'operator';
  const app = [place.app_bundle, place.app_site_domain].filter((each) => each !== '').join(', ');
  const device = [audience?.platform, audience?.os].filter(isSaid);
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" m={0}>
      <Fact term="Publisher">
        {isWhole && isSaid(auction.publisher_name) && <bdi>{auction.publisher_name} </bdi>}
        <Id value={place.publisher_id} what="the publisher’s id" />
      </Fact>
      <Fact term="App or site">
        {isWhole && isSaid(auction.property_name) && <bdi>{auction.property_name} </bdi>}
        <Id value={place.property_id} what="the id of the app or site" />
      </Fact>
      {app !== '' && <Fact term="Bundle or domain">{app}</Fact>}
      {place.categories.length > 0 && <Fact term="Categories">{place.categories.join(', ')}</Fact>}
      {audience !== null && (
        <>
          <Fact term="Country">{isSaid(audience.country) ? audience.country : 'unknown'}</Fact>
          <Fact term="Device">
            {device.length === 0 ? 'unknown' : [...new Set(device)].join(', ')}
          </Fact>
          {isSaid(audience.language) && <Fact term="Language">{audience.language}</Fact>}
          <Fact term="Location">
            {audience.has_location ? 'sent by the publisher' : 'not sent'}
          </Fact>
        </>
      )}
      {isWhole && (
        <Fact term="The publisher’s request id">
          <Id value={auction.request_id} what="the publisher’s request id" />
        </Fact>
      )}
    </SimpleGrid>
  );
}

function isSaid(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text !== '';
}
