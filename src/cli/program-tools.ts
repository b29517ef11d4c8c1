import type { Command } from 'commander';
import { SETTINGS, type Setting, type Settings } from '../settings/settings.ts';

/** Options or variables, by their names. */
export type Flags = Readonly<Record<string, string | undefined>>;

/** Where a command finds what it works on. */
export interface CommandPlace {
  readonly flags: Flags;
  readonly environment: Flags;
}

/** What the groups of commands share. */
export interface ProgramTools {
  readonly environment: Flags;
  readonly setExitCode: (code: number) => void;
}

/** Options as commander gives them: switches are true where they stand. */
export type Options = Readonly<Record<string, string | true | undefined>>;

/** Adds an option for a setting, with its variable in the help. */
export function addSetting(command: Command, key: keyof Settings, description?: string): void {
  const setting: Setting<unknown> = SETTINGS[key];
  const { flag, argument, environment, fallback } = setting;
  if (flag === null) return;
  const suffix = fallback === null || fallback === '' ? '' : ` (default: ${fallback})`;
  const words = description ?? setting.description;
  command.option(`${flag} <${argument}>`, `${words}${suffix} [${environment}]`);
}

/** Adds the data directory of a command that makes none. */
export function addPresentData(command: Command): void {
  addSetting(command, 'dataDirectory', 'the data directory of the node');
}

/** Adds the settings by which a running control is found. */
export function addPlace(command: Command): void {
  addPresentData(command);
  addSetting(command, 'internalUrls');
}

/** Adds `--json`, which all commands have that print what a program may want to read. */
export function addJson(command: Command): void {
  command.option('--json', 'print one JSON document instead of text for people');
}

/**
 * Options by their flags, as settings are read: commander names options in camel case. Switches are
 * left out.
 */
export function byFlag(options: Options): Flags {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) =>
      typeof value === 'string' ? [[flagOf(name), value]] : [],
    ),
  );
}

/** The place that a command's options name, after the environment. */
export function placeOf(options: Options, { environment }: ProgramTools): CommandPlace {
  return { flags: byFlag(options), environment };
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
