import {
  Activity,
  AppWindow,
  BadgeCheck,
  BookOpen,
  ChartColumn,
  Gauge,
  Handshake,
  History,
  KeyRound,
  LayoutDashboard,
  ListOrdered,
  Megaphone,
  Palette,
  Radio,
  ScanSearch,
  Server,
  Settings,
  ShieldAlert,
  ShieldBan,
  SquareStack,
  Store,
  Telescope,
  TrendingDown,
  Users,
  Mail,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import { entityOf, roleOf } from '../api/session.ts';
import type { Session } from '../api/types.ts';
import type { Place } from '../parts/use-place.ts';

export interface NavigationItem {
  readonly label: string;
  /** An address of the console, or of another page of control. */
  readonly href: string;
  readonly icon: LucideIcon;
  /** Only this very address is this page: others below it are pages of their own. */
  readonly isExact?: boolean;
}

export interface NavigationGroup {
  readonly label: string;
  readonly items: readonly NavigationItem[];
}

/**
 * What a user can go to. An operator who looks at a demand partner or publisher has its pages as
 * well.
 *
 * @param place where the user is.
 */
export function navigationOf(session: Session, place: Place | null): readonly NavigationGroup[] {
  return [...homeGroups(session, place), YOURS];
}

function homeGroups(session: Session, place: Place | null): readonly NavigationGroup[] {
  const id = entityOf(session);
  const role = roleOf(session);
  if (role === 'operator') return [OPERATOR, ...visited(place), ADMINISTRATION];
  if (id === null) return [];
  return [
    role === 'publisher' ? publisherGroup(id, 'Publisher') : partnerGroup(id, 'Demand partner'),
  ];
}

function visited(place: Place | null): readonly NavigationGroup[] {
  if (place === null) return [];
  const { kind, id, name } = place;
  return [kind === 'publishers' ? publisherGroup(id, name) : partnerGroup(id, name)];
}

const OPERATOR: NavigationGroup = {
  label: 'Exchange',
  items: [
    { label: 'Live', href: '/operator', icon: Activity, isExact: true },
    { label: 'Demand partners', href: '/operator/demand-partners', icon: Megaphone },
    { label: 'Publishers', href: '/operator/publishers', icon: Store },
    { label: 'Deals', href: '/operator/deals', icon: Handshake },
    { label: 'Auctions', href: '/operator/auctions', icon: ListOrdered },
    { label: 'Creatives', href: '/operator/creatives', icon: Palette },
  ],
};

const ADMINISTRATION: NavigationGroup = {
  label: 'Administration',
  items: [
    { label: 'Users', href: '/operator/users', icon: Users },
    { label: 'Settings', href: '/operator/exchange', icon: Settings },
    { label: 'Audit log', href: '/operator/audit-log', icon: History },
    { label: 'Quarantine', href: '/operator/quarantine', icon: ShieldAlert },
    { label: 'System status', href: '/operator/status', icon: Server },
  ],
};

function partnerGroup(id: number, label: string): NavigationGroup {
  const root = `/demand-partners/${id}`;
  return {
    label,
    items: [
      { label: 'Overview', href: root, icon: LayoutDashboard, isExact: true },
      { label: 'Line items', href: `${root}/line-items`, icon: SquareStack },
      { label: 'Inventory discovery', href: `${root}/discovery`, icon: Telescope },
      { label: 'Lost bids', href: `${root}/lost-bids`, icon: TrendingDown },
      { label: 'Auctions', href: `${root}/auctions`, icon: ScanSearch },
      { label: 'Reports', href: `${root}/reports`, icon: ChartColumn },
      { label: 'Bidder', href: `${root}/bidder`, icon: Radio },
    ],
  };
}

function publisherGroup(id: number, label: string): NavigationGroup {
  const root = `/publishers/${id}`;
  return {
    label,
    items: [
      { label: 'Overview', href: root, icon: Gauge, isExact: true },
      { label: 'Apps and sites', href: `${root}/properties`, icon: AppWindow },
      { label: 'Ad spaces', href: `${root}/ad-spaces`, icon: SquareStack },
      { label: 'Creatives', href: `${root}/creatives`, icon: Palette },
      { label: 'Blocking', href: `${root}/blocking`, icon: ShieldBan },
      { label: 'Reports', href: `${root}/reports`, icon: ChartColumn },
      { label: 'ads.txt', href: `${root}/ads-txt`, icon: BadgeCheck },
    ],
  };
}

const YOURS: NavigationGroup = {
  label: 'Yours',
  items: [
    { label: 'Applications', href: '/v2/auth/applications/', icon: KeyRound },
    { label: 'Webhooks', href: '/webhooks', icon: Webhook },
    { label: 'E-mail', href: '/email-recipients', icon: Mail },
    { label: 'API reference', href: '/reference/', icon: BookOpen },
  ],
};
