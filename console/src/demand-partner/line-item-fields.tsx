import { Fieldset, NumberInput, SimpleGrid, Stack, Text, TextInput, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FieldProblems } from '../parts/forms/field-problems.ts';
import { formatCpm } from '../parts/format.ts';
import { TargetingForm } from '../parts/targeting/targeting-form.tsx';
import type { Amount, LineItemDraft } from './line-item-draft.ts';

interface LineItemFieldsProps {
  readonly draft: LineItemDraft;
  readonly onChange: (draft: LineItemDraft) => void;
  readonly problems: FieldProblems;
  /** Seat and floor are the operator's to change; others see them. */
  readonly isOperator: boolean;
  /** Under the limits: what is used of them. */
  readonly capUse?: ReactNode;
}

/** All of a line item that can be typed. */
export function LineItemFields(props: LineItemFieldsProps) {
  const { draft, onChange, problems, capUse } = props;
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        required
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
        error={problems.at('/name')}
      />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        maxRows={8}
        value={draft.description}
        onChange={({ currentTarget }) => onChange({ ...draft, description: currentTarget.value })}
        error={problems.at('/description')}
      />
      <Capping {...props} />
      {capUse}
      <Buying {...props} />
      <section aria-labelledby="line-item-targeting">
        <Text id="line-item-targeting" component="h2" fw={650} fz="lg">
          Targeting
        </Text>
        <Text size="sm" c="dimmed" mb="sm">
          Which traffic is offered to this line item. Any means that it does not matter.
        </Text>
        <TargetingForm
          value={draft.targeting}
          onChange={(targeting) => onChange({ ...draft, targeting })}
          problems={problems}
          pointer="/targeting"
        />
      </section>
    </Stack>
  );
}

function Capping({ draft, onChange, problems }: LineItemFieldsProps) {
  return (
    <Fieldset legend="Limits" radius="md">
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        <AmountField
          label="Bid requests per second"
          value={draft.max_qps}
          onChange={(max_qps) => onChange({ ...draft, max_qps })}
          error={problems.at('/capping/max_qps')}
        />
        <AmountField
          label="Impressions a day"
          value={draft.max_daily_impressions}
          onChange={(max_daily_impressions) => onChange({ ...draft, max_daily_impressions })}
          error={problems.at('/capping/max_daily_impressions')}
        />
        <AmountField
          label="Spend a day"
          prefix="$"
          decimals={6}
          value={draft.max_daily_spend}
          onChange={(max_daily_spend) => onChange({ ...draft, max_daily_spend })}
          error={problems.at('/capping/max_daily_spend')}
        />
      </SimpleGrid>
      <Text size="xs" c="dimmed" mt="xs">
        Days are UTC. What is left empty has no limit.
      </Text>
    </Fieldset>
  );
}

function Buying({ draft, onChange, problems, isOperator }: LineItemFieldsProps) {
  if (!isOperator) {
    return (
      <Fieldset legend="Seat and floor" radius="md">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Seat: {draft.seat === '' ? 'none yet' : <code>{draft.seat}</code>}. Floor:{' '}
          {Number(draft.floor) === 0 ? 'none' : `${formatCpm(Number(draft.floor))} CPM`}. The
          operator of the exchange sets both.
        </Text>
      </Fieldset>
    );
  }
  return (
    <Fieldset legend="Seat and floor, set by you as the operator" radius="md">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput
          label="Seat"
          description="Sent with bids. Leave empty for none."
          value={draft.seat}
          onChange={({ currentTarget }) => onChange({ ...draft, seat: currentTarget.value })}
          error={problems.at('/seat')}
        />
        <AmountField
          label="Floor, CPM"
          description="Bids below it do not take part."
          prefix="$"
          decimals={6}
          placeholder="0"
          value={draft.floor}
          onChange={(floor) => onChange({ ...draft, floor })}
          error={problems.at('/floor')}
        />
      </SimpleGrid>
    </Fieldset>
  );
}

interface AmountFieldProps {
  readonly label: string;
  readonly value: Amount;
  readonly onChange: (value: Amount) => void;
  readonly error: string | undefined;
  readonly description?: string;
  readonly prefix?: string;
  readonly decimals?: number;
  readonly placeholder?: string;
}

function AmountField({ decimals = 0, placeholder = 'No limit', ...field }: AmountFieldProps) {
  return (
    <NumberInput
      {...field}
      placeholder={placeholder}
      decimalScale={decimals}
      allowNegative={false}
      thousandSeparator=","
      hideControls
    />
  );
}
