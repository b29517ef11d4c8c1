import { Button, Group, Modal, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAsk } from '../../api/use-ask.ts';
import { useChange } from '../../api/use-change.ts';
import { FieldProblems } from '../../parts/forms/field-problems.ts';
import { FormProblem } from '../../parts/forms/form-problem.tsx';
import { tellWithUndo } from '../../parts/notices.tsx';
import type { ShownCreativeReview } from '../../../../src/management/creative-reviews/schema.ts';
import type { ShownCreative } from '../../../../src/management/creatives/schema.ts';
import { useTakeBack } from '../../parts/use-take-back.ts';

interface ReviewDialogProps {
  readonly creative: ShownCreative;
  readonly verdict: 'approved' | 'blocked';
  readonly onClose: () => void;
}

const PATH = '/api/creative-reviews/';
const EVERYWHERE = 'everywhere';
const CREATIVE = 'creative';
const ALL_MAX = 10_000;

/** Approves or blocks a creative or all of its advertiser, everywhere or at one publisher. */
export function ReviewDialog({ creative, verdict, onClose }: ReviewDialogProps) {
  const { demand_partner_id: partner, crid, adomain } = creative;
  const [about, setAbout] = useState(CREATIVE);
  const [place, setPlace] = useState(EVERYWHERE);
  const [reason, setReason] = useState('');
  const publishers = useAsk('/api/publishers/', { sort: 'name', limit: ALL_MAX });
  const takeBack = useTakeBack();
  const save = useChange<ShownCreativeReview>(({ body }) => {
    onClose();
    const what = body.domain ?? 'The creative';
    tellWithUndo(`${what} is ${verdict}. It holds within seconds.`, () =>
      takeBack({ method: 'DELETE', path: `${PATH}${body.id}/` }, 'The decision is taken back.'),
    );
  });
  const problems = new FieldProblems(save.error);
  const reasonProblem = problems.at('/reason');
  const action = verdict === 'approved' ? 'Approve' : 'Block';
  return (
    <Modal opened onClose={onClose} title={`${action} a creative`} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const body = {
            verdict,
            ...(about === CREATIVE ? { demand_partner: partner, crid } : { domain: about }),
            ...(place === EVERYWHERE ? {} : { publisher: Number(place) }),
            ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
          };
          save.mutate({ method: 'POST', path: PATH, body });
        }}
      >
        <Stack gap="md">
          <Radio.Group label={`What to ${action.toLowerCase()}`} value={about} onChange={setAbout}>
            <Stack gap="xs" mt={6} className="break-anywhere">
              <Radio value={CREATIVE} label={`this creative of demand partner ${partner}`} />
              {adomain.map((domain) => (
                <Radio key={domain} value={domain} label={`everything of ${domain}`} />
              ))}
            </Stack>
          </Radio.Group>
          <Select
            label="Where"
            searchable
            allowDeselect={false}
            value={place}
            data={[
              { value: EVERYWHERE, label: 'at all publishers' },
              ...(publishers.data?.body ?? []).map(({ id, name }) => ({
                value: String(id),
                label: `only at ${name} (${id})`,
              })),
            ]}
            onChange={(value) => setPlace(value ?? EVERYWHERE)}
          />
          <TextInput
            label="Reason"
            description="Optional, up to 200 characters. Publishers see it."
            maxLength={200}
            value={reason}
            error={reasonProblem}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <FormProblem messages={problems.rest()} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              color={verdict === 'approved' ? 'lagoon' : 'red'}
              loading={save.isPending}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
