import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Terminal } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

const ApiCallsDrawer = lazy(async () => ({
  default: (await import('./api-calls-drawer.tsx')).ApiCallsDrawer,
}));

/** Opens the API calls that what is on the screen was made of. */
export function ApiCallsButton() {
  // Once it was open it stays, closed, so that it can slide away and the focus go back.
  const [wasOpened, setWasOpened] = useState(false);
  const [isOpen, { open, close }] = useDisclosure(false, { onOpen: () => setWasOpened(true) });
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<Terminal size={15} aria-hidden />}
        onClick={open}
        visibleFrom="sm"
      >
        Show the API call
      </Button>
      <Tooltip label="Show the API call">
        <ActionIcon variant="default" onClick={open} hiddenFrom="sm" aria-label="Show the API call">
          <Terminal size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {wasOpened && (
        <Suspense fallback={null}>
          <ApiCallsDrawer isOpen={isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
