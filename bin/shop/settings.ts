import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import type { Command } from 'commander'
import { readConfig, takesMoney } from '#server/config.ts'
import { answerTo, writeAnswer } from './run.ts'

async function importSettings(file: string) {
  await access(file)
  const config = readConfig()
  const chargeCurrency = takesMoney(config) ? config.CURRENCY_CHARGE : null
  await answerTo('importSettings', { chargeCurrency }, createReadStream(file))
  console.log('The settings are imported. Pages show them at once.')
}

export function addSettingsCommands(program: Command) {
  const settings = program
    .command('settings')
    .description('the name, theme, texts and other settings of the shop as a file')
  settings
    .command('export')
    .description('write the settings and their pictures to a JSON file')
    .argument('<file>', 'the file, or - for the standard output')
    .action((file) => writeAnswer(file, 'exportSettings', {}))
  settings
    .command('import')
    .description('replace the settings by those of an exported file')
    .argument('<file>', 'the file')
    .action(importSettings)
}
