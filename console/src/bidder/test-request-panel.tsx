import {
  Button,
  Checkbox,
  Group,
  Paper,
  Select,
  SimpleGrid,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { call } from '../api/client.ts';
import type { ApiProblem } from '../api/problem.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { FieldProblems } from '../parts/forms/field-problems.ts';
import { FormProblem } from '../parts/forms/form-problem.tsx';
import { Lines } from '../parts/loaded.tsx';
import { TestBanner } from '../parts/test-banner.tsx';
import { TestResultView } from './test-result.tsx';
import type { TestRequest, TestResult } from '../../../src/management/bidder-test/schema.ts';

const FORMATS = ['banner', 'video', 'native'] as const;
const SIZES: Readonly<Record<TestRequest['ad_format'], string>> = {
  banner: '320x50',
  video: '640x360',
  native: '',
};

/** Sends the bidder a bid request of no auction, and shows what came of it. */
export function TestRequestPanel({ path }: { readonly path: string }) {
  const testing = useMutation<TestResult, ApiProblem, TestRequest>({
    mutationFn: async (body) => {
      const asked = { method: 'POST', path: `${path}/bidder/test-request/`, body } as const;
      return (await call<TestResult>(asked)).body;
    },
  });
  return (
    <>
      <TestBanner>
        A test request carries <code>test</code> 1 and offers an ad space that is made up. Nothing
        is billed, counted or reported, and no notice is called. It is sent also while the bidder is
        stopped.
      </TestBanner>
      <TestForm
        isPending={testing.isPending}
        problem={testing.error}
        onSend={(request) => testing.mutate(request)}
      />
      <div aria-live="polite" aria-busy={testing.isPending}>
        {testing.isPending && <Lines count={8} />}
        {!testing.isPending && testing.data !== undefined && (
          <TestResultView result={testing.data} />
        )}
        {testing.isIdle && (
          <EmptyState title="Nothing sent yet">
            Send a test request to see what the bidder gets, what it answers, and whether an auction
            would take its bids.
          </EmptyState>
        )}
      </div>
    </>
  );
}

interface TestFormProps {
  readonly isPending: boolean;
  readonly problem: ApiProblem | null;
  readonly onSend: (request: TestRequest) => void;
}

function TestForm({ isPending, problem, onSend }: TestFormProps) {
  const [format, setFormat] = useState<TestRequest['ad_format']>('banner');
  const [size, setSize] = useState(SIZES.banner);
  const [country, setCountry] = useState('US');
  const [environment, setEnvironment] = useState<'app' | 'site'>('app');
  const [interstitial, setInterstitial] = useState(false);
  const problems = new FieldProblems(problem);
  const send = (): void =>
    onSend({
      ad_format: format,
      environment,
      interstitial,
      ...(country.trim() === '' ? {} : { country: country.trim().toUpperCase() }),
      ...(format === 'native' || size.trim() === '' ? {} : { size: size.trim() }),
    });
  return (
    <Paper p="md" mb="lg" component="section" aria-label="Test request">
      <Title order={2} mb="sm">
        Send a test request
      </Title>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          <Select
            label="Ad format"
            data={FORMATS}
            allowDeselect={false}
            value={format}
            error={problems.at('/ad_format')}
            onChange={(value) => {
              const chosen = FORMATS.find((each) => each === value) ?? 'banner';
              setFormat(chosen);
              setSize(SIZES[chosen]);
            }}
          />
          <TextInput
            label="Size"
            placeholder={format === 'native' ? 'native has none' : '320x50'}
            value={size}
            disabled={format === 'native'}
            error={problems.at('/size')}
            onChange={({ currentTarget }) => setSize(currentTarget.value)}
          />
          <TextInput
            label="Country (two letters)"
            placeholder="US"
            maxLength={2}
            value={country}
            error={problems.at('/country')}
            onChange={({ currentTarget }) => setCountry(currentTarget.value)}
          />
          <Select
            label="Environment"
            data={['app', 'site']}
            allowDeselect={false}
            value={environment}
            error={problems.at('/environment')}
            onChange={(value) => setEnvironment(value === 'site' ? 'site' : 'app')}
          />
        </SimpleGrid>
        <Group justify="space-between" mt="md">
          <Checkbox
            label="Interstitial"
            checked={interstitial}
            error={problems.at('/interstitial')}
            onChange={({ currentTarget }) => setInterstitial(currentTarget.checked)}
          />
          <Button type="submit" loading={isPending} leftSection={<Send size={15} aria-hidden />}>
            Send
          </Button>
        </Group>
        <NotSent problem={problem} messages={problems.rest()} />
      </form>
    </Paper>
  );
}

function NotSent(props: {
  readonly problem: ApiProblem | null;
  readonly messages: readonly string[];
}) {
  const { problem, messages } = props;
  const wait = problem?.retryAfterSeconds ?? null;
  const all = wait === null ? messages : messages.map((each) => `${each} Try again in ${wait} s.`);
  return all.length === 0 ? null : (
    <div style={{ marginBlockStart: 16 }}>
      <FormProblem messages={all} />
    </div>
  );
}
