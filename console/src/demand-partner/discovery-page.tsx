import { Button, Grid, Paper, Stack, Text, Title } from '@mantine/core';
import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { SquareStack } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useAsk } from '../api/use-ask.ts';
import { FieldProblems } from '../parts/forms/field-problems.ts';
import { Loaded, Lines } from '../parts/loaded.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { describeTargeting } from '../parts/targeting/describe-targeting.ts';
import { addressed, keepLong, readAddressed } from '../parts/targeting/address-targeting.ts';
import { TargetingForm } from '../parts/targeting/targeting-form.tsx';
import type { Targeting } from '../parts/targeting/targeting.ts';
import { useSearchOf } from '../parts/use-search-of.ts';
import { DiscoveryTraffic } from './discovery-traffic.tsx';
import { pagesOf, usePartnerId } from './partner.ts';
import { readDiscoverySearch } from './search.ts';

const PATH = '/api/inventory/discovery/';
const TYPING_MS = 500;

/** How much traffic a targeting meets, asked anew as it changes. */
export function DiscoveryPage() {
  const partnerId = usePartnerId();
  const [search, change] = useSearchOf(readDiscoverySearch);
  const [targeting, setTargeting] = useAddressed(search.targeting, (next) =>
    change({ targeting: next }),
  );
  const [settled] = useDebouncedValue(targeting, TYPING_MS);
  const asked = useAsk(PATH, {}, { body: settled });
  // What is refused replaces what was there: it belongs to a form that is no more.
  const refused = asked.error?.status === 400 || asked.error?.status === 422 ? asked.error : null;
  const problems = useMemo(() => new FieldProblems(refused), [refused]);
  return (
    <>
      <PageHeader
        title="Inventory discovery"
        description="How many ad requests of the past seven days a line item with this targeting would have matched. It updates as you change it."
        actions={
          <Button
            leftSection={<SquareStack size={16} aria-hidden />}
            renderRoot={(props) => (
              <Link
                to={`${pagesOf(partnerId)}/line-items/new`}
                search={{ targeting: addressed(targeting) }}
                {...props}
              />
            )}
          >
            Make a line item of this
          </Button>
        }
      />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <section aria-label="Targeting">
            <TargetingForm
              value={targeting}
              onChange={setTargeting}
              problems={problems}
              pointer=""
            />
          </section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Paper p="lg" component="section" aria-label="Traffic" pos="sticky" top={72}>
            <Stack gap="md">
              <Title order={2} lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
                {describeTargeting(settled)}
              </Title>
              {refused === null ? (
                <Loaded asked={asked} skeleton={<Lines count={12} />}>
                  {(found) => <DiscoveryTraffic found={found} />}
                </Loaded>
              ) : (
                <Text size="sm" role="status">
                  This targeting cannot be asked for: see what is marked in it.
                </Text>
              )}
            </Stack>
          </Paper>
        </Grid.Col>
      </Grid>
    </>
  );
}

/** A targeting that follows the address, and that the address follows once typing has paused. */
function useAddressed(
  inAddress: unknown,
  write: (targeting: ReturnType<typeof addressed>) => void,
): readonly [Targeting, (targeting: Targeting) => void] {
  const address = JSON.stringify(inAddress ?? null);
  const [targeting, setTargeting] = useState<Targeting>(() => readAddressed(inAddress) ?? {});
  const [known, setKnown] = useState(address);
  const [written, setWritten] = useState<string | null>(null);
  if (address !== known) {
    setKnown(address);
    // Somebody went elsewhere: back, or to the page without anything.
    if (address !== written) {
      setWritten(null);
      setTargeting(readAddressed(inAddress) ?? {});
    }
  }
  const writeSoon = useDebouncedCallback((next: Targeting) => {
    const short = addressed(next);
    setWritten(JSON.stringify(short ?? null));
    write(short);
  }, TYPING_MS);
  const set = (next: Targeting): void => {
    setTargeting(next);
    keepLong(next);
    writeSoon(next);
  };
  return [targeting, set];
}
