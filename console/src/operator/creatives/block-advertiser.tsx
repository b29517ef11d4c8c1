import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/use-change.ts';
import { FieldProblems } from '../../parts/forms/field-problems.ts';
import { FormProblem } from '../../parts/forms/form-problem.tsx';
import { tellWithUndo } from '../../parts/notices.tsx';
import type { ShownCreativeReview } from '../../../../src/management/creative-reviews/schema.ts';
import { useTakeBack } from '../../parts/use-take-back.ts';

const PATH = '/api/creative-reviews/';

/** Blocks all creatives of an advertiser, whether any of them was seen or not. */
export function BlockAdvertiser() {
  const [domain, setDomain] = useState('');
  const [reason, setReason] = useState('');
  const takeBack = useTakeBack();
  const block = useChange<ShownCreativeReview>(({ body }) => {
    setDomain('');
    setReason('');
    tellWithUndo(`${body.domain ?? ''} is blocked everywhere.`, () =>
      takeBack({ method: 'DELETE', path: `${PATH}${body.id}/` }, 'The decision is taken back.'),
    );
  });
  const problems = new FieldProblems(block.error);
  const domainProblem = problems.at('/domain');
  const reasonProblem = problems.at('/reason');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const body = {
          verdict: 'blocked',
          domain: domain.trim(),
          ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
        };
        block.mutate({ method: 'POST', path: PATH, body });
      }}
    >
      <Stack gap="xs" mb="md">
        <Group align="flex-start">
          <TextInput
            label="Advertiser’s domain"
            placeholder="advertiser.example"
            required
            w={240}
            value={domain}
            error={domainProblem}
            onChange={({ currentTarget }) => setDomain(currentTarget.value)}
          />
          <TextInput
            label="Reason"
            maxLength={200}
            w={240}
            value={reason}
            error={reasonProblem}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <Button type="submit" color="red" variant="light" mt={25} loading={block.isPending}>
            Block everywhere
          </Button>
        </Group>
        <FormProblem messages={problems.rest()} />
      </Stack>
    </form>
  );
}
