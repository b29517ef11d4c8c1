import { Stack } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { EditBar } from './edit-bar.tsx';
import type { Edit } from './use-edit.ts';

interface EditFormProps {
  readonly edit: Omit<Edit<never>, 'draft' | 'set' | 'put'>;
  /** What the form is, for whoever cannot see it. */
  readonly label: string;
  /** On the button of what is new. */
  readonly making?: string | undefined;
  readonly changedAt?: string | undefined;
  readonly cancelTo?: string | undefined;
  readonly children: ReactNode;
}

/** A form that is saved as a whole; the server says what is wrong with it. */
export function EditForm({ edit, label, children, ...bar }: EditFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { problem, isStale, others } = edit;
  useEffect(() => {
    if (problem !== null) showProblem(form.current, isStale || others.length > 0);
  }, [problem, isStale, others]);
  return (
    <form
      ref={form}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // Enter in a field of what is open above the form belongs to that.
        event.stopPropagation();
        if (!edit.isPending && (bar.making !== undefined || edit.isChanged)) edit.save();
      }}
    >
      <Stack gap="lg">
        {children}
        <EditBar edit={edit} {...bar} />
      </Stack>
    </form>
  );
}

/** What is wrong may be far from the button: the first field of it, or what is said of the whole. */
function showProblem(form: HTMLFormElement | null, isStale: boolean): void {
  const field = isStale ? null : form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  field?.focus({ preventScroll: true });
  const shown = field ?? form?.querySelector('[role="alert"]');
  shown?.scrollIntoView({ block: 'center' });
}
