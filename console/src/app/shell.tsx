import { Alert, Anchor, AppShell, Burger, Group, Loader, NavLink, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { sessionQuery, SessionOfPages } from '../api/session.ts';
import type { Session } from '../api/types.ts';
import { ApiCallsButton } from '../parts/api-calls.tsx';
import { usePlace } from '../parts/use-place.ts';
import { useSilence } from './connection.ts';
import { isOwnPage } from './home.ts';
import { Logo } from './logo.tsx';
import { MissingPage } from './missing-page.tsx';
import { navigationOf, type NavigationItem } from './navigation.ts';
import { UserMenu } from './user-menu.tsx';
import { UtcClock } from './utc-clock.tsx';

/** Dialogs come when they are needed: the first page does without. */
const SessionEnded = lazy(async () => ({
  default: (await import('./session-ended.tsx')).SessionEnded,
}));

/** The frame around every page of somebody who is signed in. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  const { data: current } = useQuery(sessionQuery);
  const session = useLastSession(current ?? null);
  useEffect(close, [pathname, close]);
  if (session === null) return null;
  return (
    <SessionOfPages value={session}>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 236, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
        padding={{ base: 'md', lg: 'xl' }}
      >
        <a className="skip-link" href="#main">
          Skip to the page
        </a>
        <AppShell.Header px="md">
          <Group h="100%" justify="space-between" wrap="nowrap">
            <Group gap="sm" wrap="nowrap">
              <Burger
                opened={isOpen}
                onClick={toggle}
                hiddenFrom="md"
                size="sm"
                aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
              />
              <Link to="/" aria-label="Rialto, start" className="plain-link">
                <Logo />
              </Link>
            </Group>
            <Group gap="sm" wrap="nowrap">
              <UtcClock />
              <ApiCallsButton />
              <UserMenu session={session} />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar aria-label="Pages">
          <Navigation session={session} path={pathname} />
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1}>
          <SilenceBanner />
          <SecondFactorBanner session={session} path={pathname} />
          {isOwnPage(session, pathname) ? <Outlet /> : <MissingPage />}
        </AppShell.Main>
        {current === null && (
          <Suspense fallback={null}>
            <SessionEnded email={session.user.email} />
          </Suspense>
        )}
      </AppShell>
    </SessionOfPages>
  );
}

function Navigation({ session, path }: { readonly session: Session; readonly path: string }) {
  const place = usePlace();
  return (
    <AppShell.Section grow p="xs" className="scrolls">
      {navigationOf(session, place).map(({ label, items }) => (
        <nav key={label} aria-label={label}>
          <Text
            size="xs"
            fw={600}
            c="dimmed"
            px="sm"
            pt="md"
            pb={4}
            lineClamp={2}
            className="break-anywhere"
          >
            {label}
          </Text>
          {items.map((item) => (
            <NavigationLink key={item.href} item={item} path={path} />
          ))}
        </nav>
      ))}
    </AppShell.Section>
  );
}

function NavigationLink({ item, path }: { readonly item: NavigationItem; readonly path: string }) {
  const { label, href, icon: Icon, isExact = false } = item;
  const bare = path.replace(/\/$/, '');
  const wanted = href.replace(/\/$/, '');
  const isHere = bare === wanted || (!isExact && bare.startsWith(`${wanted}/`));
  const look = {
    label,
    active: isHere,
    leftSection: <Icon size={17} aria-hidden />,
    className: 'navigation-link',
  };
  // The reference is a page of control's own, beside the console.
  if (href === '/reference/') return <NavLink {...look} href={href} />;
  // The router says which page is the present one, for whoever cannot see it.
  const activeOptions = { exact: isExact, includeSearch: false };
  return (
    <NavLink
      {...look}
      renderRoot={(props) => <Link to={href} activeOptions={activeOptions} {...props} />}
    />
  );
}

/** Leads whoever can change nothing without a second factor to where they set it up. */
function SecondFactorBanner({
  session,
  path,
}: {
  readonly session: Session;
  readonly path: string;
}) {
  const { is_set_up: isSetUp, is_required: isRequired } = session.second_factor;
  if (isSetUp || !isRequired) return null;
  return (
    <Alert color="orange" mb="md" role="status">
      This exchange requires a second factor of everybody who changes anything: until you have one
      you can only look.{' '}
      {path !== '/account' && (
        <Anchor
          size="sm"
          underline="always"
          c="inherit"
          renderRoot={(props) => <Link to="/account" {...props} />}
        >
          Set up a second factor
        </Anchor>
      )}
    </Alert>
  );
}

/** Said as long as control does not answer; pages go on by themselves when it is back. */
function SilenceBanner() {
  const silence = useSilence();
  if (silence === null) return null;
  return (
    <Alert color="orange" mb="md" role="status" icon={<Loader size="xs" color="orange" />}>
      {silence} What is shown may be old. Trying again by itself.
    </Alert>
  );
}

/** The session, or the one that has just ended: its page stays while its user signs in again. */
function useLastSession(current: Session | null): Session | null {
  const [last, setLast] = useState(current);
  if (current !== null && current !== last) setLast(current);
  return current ?? last;
}
