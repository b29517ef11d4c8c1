import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ApiProblem } from '../../api/problem.ts';
import { FieldProblems } from '../../parts/forms/field-problems.ts';
import { FormProblem } from '../../parts/forms/form-problem.tsx';
import type { SeenHere } from './decisions.ts';
import type { useDecisions } from './use-decisions.ts';

interface BlockFormProps {
  readonly seen: SeenHere;
  readonly decisions: ReturnType<typeof useDecisions>;
  readonly onClose: () => void;
}

const THIS_ONE = '';
const DOMAINS_SHOWN = 5;

/** Asks what is to be blocked, this creative or all of its advertiser's, and why. */
export function BlockForm({ seen, decisions, onClose }: BlockFormProps) {
  const { demand_partner_id: partner, crid, adomain } = seen.creative;
  const [domain, setDomain] = useState(THIS_ONE);
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const problems = new FieldProblems(problem);
  const reasonFault = problems.at('/reason');
  const block = (): void => {
    const subject = domain === THIS_ONE ? { demand_partner: partner, crid } : { domain };
    decisions.decide(subject, 'blocked', { reason, onDone: onClose, onProblem: setProblem });
  };
  return (
    <Modal opened onClose={onClose} title="Block" centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          block();
        }}
      >
        <Stack gap="md">
          <Radio.Group label="What" value={domain} onChange={setDomain}>
            <Stack gap="xs" mt="xs">
              <Radio value={THIS_ONE} label="This creative" description={<Clamped text={crid} />} />
              {[...new Set(adomain)].slice(0, DOMAINS_SHOWN).map((each) => (
                <Radio
                  key={each}
                  value={each}
                  label={<Clamped text={`Everything of ${each}`} />}
                  description="From all demand partners, its subdomains included."
                />
              ))}
            </Stack>
          </Radio.Group>
          <TextInput
            label="Reason"
            description="The demand partner sees it in the trace of its bids."
            maxLength={200}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            error={reasonFault}
            data-autofocus
          />
          <FormProblem messages={problems.rest()} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={decisions.isPending}>
              Block
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Clamped({ text }: { readonly text: string }) {
  return (
    <Text span inherit lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  );
}
