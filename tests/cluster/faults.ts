import { findFakeTime } from '../support/needed-programs.ts'
import { answers } from './databases.ts'
import type { Fault } from './measure.ts'
import { until } from './until.ts'

const found = <Item>(item: Item | undefined, what: string): Item => {
  if (item === undefined) throw new Error(`There is no ${what}.`)
  return item
}

const primaryKilled: Fault = {
  name: "the primary's PostgreSQL is killed",
  aims: { seconds: 15, isRefused: true },
  async inject({ cluster }) {
    await (await cluster.primary()).killPostgres()
    return undefined
  },
}

const machineKilled: Fault = {
  name: "the primary's whole machine is killed",
  aims: { seconds: 40, isRefused: true },
  async inject({ cluster }) {
    const machine = await cluster.primary()
    await machine.kill()
    return () => machine.start()
  },
}

const machineFrozen: Fault = {
  name: "the primary's whole machine is frozen, and goes on",
  // it goes on when another is the primary
  aims: { seconds: 40, isRefused: true },
  async inject({ cluster }) {
    const machine = await cluster.primary()
    machine.freeze()
    return () => machine.thaw()
  },
}

const shopKilled: Fault = {
  name: 'a shop is killed',
  aims: { seconds: 5, isUnseen: true },
  async inject({ cluster }) {
    const shop = found(cluster.shops[0], 'shop')
    await shop.kill()
    return () => shop.start()
  },
}

const shopFrozen: Fault = {
  name: 'a shop is frozen',
  // the proxy gives up purchases that the shop was busy with after 30 s
  aims: { seconds: 35, isUnseen: true },
  async inject({ cluster }) {
    const shop = found(cluster.shops[1], 'second shop')
    shop.freeze()
    return () => shop.thaw()
  },
}

const poolerKilled: Fault = {
  name: 'a PgBouncer is killed',
  aims: { seconds: 15, isRefused: true },
  async inject({ cluster }) {
    const { pgbouncer } = found(cluster.shops[0], 'shop').programs
    await pgbouncer.kill()
    return () => pgbouncer.start()
  },
}

const redisKilled: Fault = {
  name: 'Redis is killed',
  aims: { seconds: 5, isUnseen: true },
  async inject({ cluster: { redis } }) {
    await redis.kill()
    return () => redis.start()
  },
}

const redisFrozen: Fault = {
  name: 'Redis hangs',
  aims: { seconds: 5, isUnseen: true },
  async inject({ cluster: { redis } }) {
    redis.freeze()
    return () => redis.thaw()
  },
}

const replicaFrozen: Fault = {
  name: 'the synchronous replica is frozen',
  aims: { seconds: 20, isRefused: true },
  async inject({ cluster }) {
    const replica = found(await cluster.synchronousReplica(), 'synchronous replica')
    replica.freeze()
    return () => replica.thaw()
  },
}

const diskFilled: Fault = {
  name: "the primary's disk is full",
  // it is replaced when it cannot write its WAL; until then it lives, and refuses purchases
  aims: { seconds: 40, isRefused: true, lasts: true },
  async inject({ cluster }) {
    const primary = await cluster.primary()
    return found(primary.disk, 'small disk').fill()
  },
}

const wayToDatabaseHangs: Fault = {
  name: 'the way from a shop to the database hangs',
  // the shop gives up a statement after 21 s
  aims: { seconds: 25, isRefused: true },
  async inject({ cluster }) {
    // what it connects to accepts bytes, and no answer comes
    const { haproxy } = found(cluster.shops[0], 'shop').programs
    haproxy.freeze()
    return () => haproxy.thaw()
  },
}

const clockMoved: Fault = {
  name: "a shop's clock is two hours ahead",
  aims: { seconds: 5, isUnseen: true },
  async inject({ cluster }) {
    const shop = found(cluster.shops[0], 'shop')
    const { settings } = shop
    const library = found(findFakeTime(), 'libfaketime')
    const restart = async (changed: Record<string, string>) => {
      shop.settings = changed
      await shop.programs.shop.stop()
      await shop.programs.shop.start()
    }
    await restart({
      ...settings,
      LD_PRELOAD: library,
      FAKETIME: '+2h',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    })
    return () => restart(settings)
  },
}

/** The shops began with the code of the previous commit, in which `next` is the one to come. */
export const upgradeTo = (next: string): Fault => ({
  name: 'the shops are upgraded one by one, with a migration',
  aims: { seconds: 5, isUnseen: true },
  async inject({ cluster }) {
    for (const shop of cluster.shops) {
      await shop.programs.shop.stop()
      shop.code = next
      await shop.programs.shop.start()
      await until(`${shop.name} is not ready`, () => answers(`${shop.address}/readyz`))
    }
    return undefined
  },
})

const restarted: Fault = {
  name: 'everything else is restarted, one after the other',
  aims: { seconds: 40, isRefused: true },
  async inject({ cluster }) {
    const { databases, shops, redis, replicated } = cluster
    const primary = await cluster.primary()
    const inTurn = [...databases.filter((one) => one !== primary), primary]
    for (const machine of [redis, ...shops.map(({ programs }) => programs.pgbouncer)]) {
      await machine.stop()
      await machine.start()
    }
    for (const machine of inTurn) {
      await machine.stop()
      await machine.start()
      await replicated()
    }
    return undefined
  },
}

/** In the order in which they are injected. */
export const FAULTS: Fault[] = [
  primaryKilled,
  machineKilled,
  machineFrozen,
  shopKilled,
  shopFrozen,
  poolerKilled,
  redisKilled,
  redisFrozen,
  replicaFrozen,
  wayToDatabaseHangs,
  clockMoved,
  restarted,
  diskFilled,
]
