import { availableParallelism } from 'node:os'
import { takesMoney } from '#app/payments/server/providers/list.ts'
import { type Finding, ok, problem, warning } from '#app/shared/server/doctor/finding.ts'
import type { Config } from '../config.ts'
import { NODE_FLOORS, nodeProblem } from '../operation/node-version.ts'
import { isLoopback } from '../operation/trusted-proxies.ts'
import {
  availableMb,
  connectionsOf,
  memoryProblem,
  neededMb,
  workersOf,
} from '../workers/capacity.ts'

const FEWER = 'Set WORKERS to fewer, or max_connections of the database server to more.'
const USELESS = 'More processes than cores take memory and gain nothing.'

/** Checks whether the number of processes fits this machine and the database server. */
export function examineProcesses(config: Config, connections: number): Finding[] {
  // the embedded database allows only one process
  if (!config.DATABASE_URL) return []
  const count = workersOf(config)
  const needed = connectionsOf(config)
  const found = `${count} on ${availableParallelism()} cores, with ${needed} of the ${connections} connections of the database at most`
  if (needed > connections) return [problem('Processes', found, FEWER)]
  if (count > availableParallelism()) return [warning('Processes', found, USELESS)]
  return [ok('Processes', found)]
}

/** Checks whether the shop has enough memory, as far as this process has the shop's limits. */
export function examineMemory(config: Config): Finding {
  const short = memoryProblem(config)
  return short
    ? warning('Memory', short, 'Give it more memory, or set WORKERS to fewer.')
    : ok('Memory', `${availableMb()} MB, of which the shop needs ${neededMb(config)} MB`)
}

/** Checks whether the Node that runs this process has all security fixes. */
export function examineNode(version: string = process.versions.node): Finding {
  const why = nodeProblem(version)
  return why
    ? problem(
        'Node',
        `${version} lacks security fixes`,
        `Install ${NODE_FLOORS} or a newer one of these.`,
      )
    : ok('Node', version)
}

const DIRECT = 'TRUST_PROXY is not set, so clients must connect directly, without a reverse proxy'
const TRUST_THE_PROXY =
  'Behind a reverse proxy, set TRUST_PROXY=loopback if it runs on this machine, else the address of the proxy. Otherwise all customers count as one client and share its rate limits.'

/**
 * Checks whether clients' addresses are known: a trusted proxy is set, or clients connect directly.
 */
export function examineProxy(config: Config): Finding {
  const { HOST, TRUST_PROXY } = config
  if (TRUST_PROXY) return ok('Proxy', `${TRUST_PROXY} is trusted to forward addresses`)
  if (!isLoopback(HOST)) return warning('Proxy', DIRECT, TRUST_THE_PROXY)
  const found = `TRUST_PROXY is not set, and other machines reach HOST ${HOST} only through a reverse proxy`
  const finding = takesMoney(config) ? problem : warning
  return finding('Proxy', found, TRUST_THE_PROXY)
}
