import type { EnumeratedList } from '../../../../src/openrtb/enumerated-list.ts';
import { STATUS_NAMES, STATUSES } from '../status/statuses.ts';
import type { FloorInput } from '../../../../src/resources/floors.ts';

/** How one key of a resource is edited. */
interface SettingBase {
  readonly key: string;
  readonly label: string;
  readonly help?: string;
  readonly isRequired?: boolean;
  /** Shown while nothing is typed. */
  readonly placeholder?: string;
  /** Whether it makes sense beside what else is typed; where it does not, it is null. */
  readonly isShown?: (draft: Shown) => boolean;
  /** Shown, and not to be changed. */
  readonly isFixed?: boolean;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** One key of a resource, as people edit it. */
export type Setting =
  | (SettingBase & { readonly kind: 'text' })
  | (SettingBase & { readonly kind: 'number'; readonly unit?: string; readonly isId?: boolean })
  /** A share from 0 to 1, written in percent. */
  | (SettingBase & { readonly kind: 'percent' })
  /** One of some; with `none`, that none is chosen as well, which is null. */
  | (SettingBase & {
      readonly kind: 'choice';
      readonly choices: readonly Choice[];
      readonly none?: string;
    })
  | (SettingBase & { readonly kind: 'switch' })
  /** A list that may be long, one on a line. */
  | (SettingBase & { readonly kind: 'lines' })
  /** A short list of texts. */
  | (SettingBase & { readonly kind: 'tags'; readonly suggestions?: readonly string[] })
  /** Some of what there is. */
  | (SettingBase & { readonly kind: 'choices'; readonly choices: readonly Choice[] })
  | (SettingBase & { readonly kind: 'categories' })
  | (SettingBase & { readonly kind: 'languages' })
  /** A value of one of OpenRTB's lists. */
  | (SettingBase & { readonly kind: 'listed'; readonly list: EnumeratedList })
  | (SettingBase & { readonly kind: 'ad_spaces' })
  | (SettingBase & { readonly kind: 'floors' });

/** Whether it takes part. */
export const STATUS_SETTING: Setting = {
  key: 'status',
  label: 'Status',
  kind: 'choice',
  choices: STATUSES.map((value) => ({ value, label: STATUS_NAMES[value] })),
};

export interface SettingGroup {
  readonly title: string;
  readonly description?: string;
  readonly settings: readonly Setting[];
}

/** A resource as the API shows it. */
export type Shown = Readonly<Record<string, unknown>>;

/** What the API shows of a resource. */
export function shownOf(resource: object): Shown {
  return Object.fromEntries(Object.entries(resource));
}

/** What the API is sent: texts without what surrounds them, and null for what makes no sense. */
export function bodyOf(settings: readonly Setting[], draft: Shown): Shown {
  const changeable = settings.filter(({ isFixed }) => isFixed !== true);
  return Object.fromEntries(
    changeable.map(({ key, isShown }) => {
      const value = isShown?.(draft) === false ? null : draft[key];
      return [key, typeof value === 'string' ? textOrNull(value) : (value ?? null)];
    }),
  );
}

/** The id of what was made, for its address. */
export function idOf({ id }: Shown): string {
  return typeof id === 'number' || typeof id === 'string' ? String(id) : '';
}

/** A text that a key has; empty for none. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The texts of a list that a key has. */
export function textsIn(value: unknown): string[] {
  return listIn(value).filter((each) => typeof each === 'string');
}

/** The numbers of a list that a key has. */
export function numbersIn(value: unknown): number[] {
  return listIn(value).filter((each) => typeof each === 'number');
}

/** The floors of a list that a key has. */
export function floorsIn(value: unknown): FloorInput[] {
  return listIn(value).filter((each) => isFloor(each));
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isFloor(value: unknown): value is FloorInput {
  return typeof value === 'object' && value !== null && 'floor' in value;
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
