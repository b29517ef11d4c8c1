import type { Command } from 'commander';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import { addJson, addSetting, placeOf, type Options, type ProgramTools } from './program-tools.ts';

/** `rialto doctor`. */
export function addDoctor(program: Command, tools: ProgramTools): void {
  const doctor = program
    .command('doctor')
    .description('check this machine and its data directory, and say what to do')
    .addHelpText(
      'after',
      "\nTakes the settings of rialto start: give it the node's own flags and variables. Changes nothing." +
        '\nExit code: 0 nothing failed (warnings may stand), 1 a check failed.',
    );
  for (const key of Object.keys(SETTINGS)) if (isSetting(key)) addSetting(doctor, key);
  addJson(doctor);
  doctor.action(async ({ json, ...options }: Options) => {
    const { doctorCommand } = await import('./doctor/doctor.ts');
    tools.setExitCode(await doctorCommand(json === true, placeOf(options, tools)));
  });
}

function isSetting(key: string): key is keyof Settings {
  return key in SETTINGS;
}
