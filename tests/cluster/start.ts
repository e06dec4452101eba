/** `npm run cluster`: starts the cluster on this machine, until Ctrl-C. */
import { demandPrograms } from '../support/needed-programs.ts'
import { startCluster } from './cluster.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
demandPrograms('cluster')
const cluster = await startCluster()
print(`Shop      ${cluster.address}`)
for (const { name, address } of cluster.shops) print(`${name}     ${address}`)
for (const { name, address } of cluster.databases) print(`${name}       ${address}`)
print(`Primary   ${(await cluster.primary()).name}: ${await cluster.primaryUrl()}`)
print(`PgBouncer ${cluster.databaseUrl}`)
print(`Files     ${cluster.folder}`)
print('Ctrl-C stops it, and removes its files.')
setInterval(() => {}, 1 << 30)
