import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { createQueryClient } from './query-client.ts';
import { createAppRouter } from './router.tsx';
import { styleNonce } from './style-nonce.ts';
import { theme, themeVariables } from './theme.ts';

/** Nothing is told before the first page is there; what was said before it came is kept. */
const Notifications = lazy(async () => ({
  default: (await import('@mantine/notifications')).Notifications,
}));

const queries = createQueryClient();
const router = createAppRouter(queries);

/** The whole console. */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={themeVariables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <Suspense fallback={null}>
        <Notifications position="bottom-right" />
      </Suspense>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
