import { setTimeout } from 'node:timers/promises'
import { exercise, type Scene } from './exercise.ts'
import { type Fault, NO_SERVER, type Trial } from './fault.ts'
import { type LoadBalancer, openLoadBalancer } from './load-balancer.ts'
import type { Server } from './stage/database.ts'

const BUYERS = { short: 8, long: 20 }
const VIEWERS = 4
/** As long as somebody looks at a page. */
const LOOK_MS = 50
const SHORT_ROUNDS = 2
const LONGEST_STOP_MS = 10_000
const DRAIN_SECONDS = '2'

/** Looks at pages on and on; answers how many, and notes every other answer than the page. */
async function view({ losses }: Scene, proxy: LoadBalancer, isOpen: () => boolean) {
  let views = 0
  while (isOpen()) {
    const { status } = await fetch(proxy.address)
      .then(async (answer) => {
        await answer.text()
        return answer
      })
      .catch(() => ({ status: 0 }))
    if (status !== 200) losses.push(`the home page: ${status}`)
    views += 1
    await setTimeout(LOOK_MS)
  }
  return views
}

/** Stops a shop and starts it anew; answers how long it took to stop, in milliseconds. */
async function restart({ stage, losses, must }: Scene, proxy: LoadBalancer, n: number) {
  const began = performance.now()
  const code = await stage.shop(n).stop()
  const took = performance.now() - began
  if (code !== 0) losses.push(`a shop ended with ${code}`)
  if (took > LONGEST_STOP_MS) losses.push(`a shop took ${Math.round(took)} ms to end`)
  await stage.start(n)
  await must('a shop is not ready', () => proxy.isReady(stage.addresses[n] ?? ''))
  return took
}

/** Stops one of two shops after the other while buyers check out through a proxy. */
async function restartInTurn({ rounds: wanted, dice }: Trial, server: Server) {
  const rounds = wanted ?? SHORT_ROUNDS
  const buyers = BUYERS[wanted === undefined ? 'short' : 'long']
  const proxy = await openLoadBalancer()
  const address = () => proxy.address
  const setting = { buyers, shops: 2, address, settings: { DRAIN_SECONDS } }
  try {
    return await exercise(await server.open(), dice, setting, async (scene) => {
      const { stage, crowd, tally, must, losses } = scene
      proxy.balance(stage.addresses)
      await must('nobody is ready', () => stage.addresses.every(proxy.isReady))
      let isOpen = true
      crowd.open()
      const viewing = Array.from({ length: VIEWERS }, () => view(scene, proxy, () => isOpen))
      let longest = 0
      for (let round = 0; round < rounds; round += 1) {
        longest = Math.max(longest, await restart(scene, proxy, round % 2))
      }
      isOpen = false
      const views = (await Promise.all(viewing)).reduce((sum, one) => sum + one, 0)
      await crowd.close()
      const { unavailable, cutOff } = tally
      if (unavailable + cutOff > 0) losses.push(`${unavailable + cutOff} requests of buyers failed`)
      losses.push(...proxy.failures)
      const tenths = Math.round(longest / 100) / 10
      return { 'shops stopped': rounds, 's the longest stop': tenths, 'pages viewed': views }
    })
  } finally {
    await proxy.close()
  }
}

export const rollingRestart: Fault = {
  name: 'SIGTERM under load',
  run: async (trial) => (trial.server ? restartInTurn(trial, trial.server) : NO_SERVER),
}
