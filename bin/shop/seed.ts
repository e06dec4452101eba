import { type Command, InvalidArgumentError } from 'commander'
import { type Amounts, seed } from '#bench/seed/seed.ts'
import { migrate } from '#db/migrate.ts'
import { readConfig } from '#server/config.ts'
import { showProgress } from '#server/operation/output.ts'
import { onDatabase } from './run.ts'

function amount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1.')
  return Number(text)
}

async function seedShop(amounts: Amounts) {
  if (Object.keys(amounts).length === 0)
    throw new InvalidArgumentError('Say how many: --products, --users, --orders.')
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = readConfig()
  await onDatabase({ databaseUrl, dataDir }, async (db) => {
    await migrate(db)
    await seed(db, amounts, (kind, done, total) =>
      showProgress(`Seeding ${kind}`, process.stderr)(done, total),
    )
  })
}

export function addSeedCommand(program: Command) {
  program
    .command('seed')
    .description('add many products, customers and orders, for tests and benchmarks')
    .option('--products <number>', 'how many products', amount)
    .option('--users <number>', 'how many customers, who cannot log in', amount)
    .option('--orders <number>', 'how many orders, over the last ninety days', amount)
    .action(seedShop)
}
