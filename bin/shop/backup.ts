import { rm, stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { examineBackup, restoreBackup } from '#db/backup/restore-backup.ts'
import { type Told, writeBackup } from '#db/backup/write-backup.ts'
import { inShop } from './open-shop.ts'
import { writeWhole } from './write-whole.ts'

/** Adds up what it is told. */
function counter() {
  let rows = 0
  const told: Told = (_table, more) => {
    rows += more
  }
  return { told, rows: () => rows }
}

async function backup(file: string) {
  const { told, rows } = counter()
  await writeWhole(file, async (partial) => {
    // of a backup that was cut off
    await rm(partial, { force: true })
    await inShop((db) => writeBackup(db, partial, told))
  })
  const megabytes = (await stat(file)).size / 2 ** 20
  console.log(`${rows()} rows are in ${file} (${megabytes.toFixed(1)} MB).`)
}

async function restore(file: string, { replace = false }) {
  const { told, rows } = counter()
  // before there is a database: of a file that is refused nothing is left
  const read = await examineBackup(file)
  const restored = { replace, told, read }
  const at = await inShop((db) => restoreBackup(db, file, restored), { alone: true })
  console.log(`The shop is as it was on ${at}: ${rows()} rows.`)
}

export function addBackupCommands(program: Command) {
  program
    .command('backup')
    .description('write the whole shop, photos included, to one file, while it is running')
    .argument('<file>', 'the file')
    .action(backup)
  program
    .command('restore')
    .description('put a backup in the place of an empty shop that is not running')
    .argument('<file>', 'the file')
    .option('--replace', 'also in the place of a shop that is not empty')
    .action(restore)
}
