import { Command } from 'commander'
import { VERSION } from '#db/releases/version.ts'
import { requireValidFile } from '#server/settings-file.ts'
import { addAccountCommands } from './account.ts'
import { addAdminCommands } from './admin.ts'
import { addBackupCommands } from './backup.ts'
import { addDoctorCommand } from './doctor.ts'
import { addEmailCommands } from './emails.ts'
import { addProductCommands } from './products.ts'
import { addSeedCommand } from './seed.ts'
import { addSettingsCommands } from './settings.ts'

/** All commands. A misuse throws `CommanderError`, after its message was printed. */
export const program = new Command('npm run shop --')
  .description('Runs the shop from the command line, with the settings of .env.')
  .version(VERSION)
  .exitOverride()
  .hook('preAction', (_program, command) => {
    // the doctor reports it among its findings
    if (command.name() !== 'doctor') requireValidFile('.env')
  })
  .showHelpAfterError('(see --help)')

addAdminCommands(program)
addAccountCommands(program)
addProductCommands(program)
addSettingsCommands(program)
addEmailCommands(program)
addSeedCommand(program)
addBackupCommands(program)
addDoctorCommand(program)
