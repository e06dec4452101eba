/** A shop with pages and cache, on a real port. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Agent } from 'node:http'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import { serveAssets } from '#server/site.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { servePages } from '#tests/support/pages.ts'
import { shopOn, type TestShop } from '#tests/support/shop.ts'
import { HOOK_SECRET } from '#tests/support/webhook.ts'
import { type Send, sendTo } from './http.ts'

export type World = {
  shop: TestShop
  /** Sends the attacker's requests; planted holes replace it. */
  send: Send
  /** Every route of the running router, as `GET /path`. */
  routes: string[]
  /** The finding that is expected of a planted hole: a long attack begins with the call in it. */
  sought?: string
}

async function mountPages(app: FastifyInstance) {
  await serveAssets(app)
  await servePages(app)
}

/** Notes every route that is mounted while `work` runs. */
async function routesOf<Result>(work: () => Promise<Result>): Promise<[Result, string[]]> {
  const routes: string[] = []
  const note = ({ method, url }: RouteOptions) => {
    routes.push(...[method].flat().map((verb) => `${verb} ${url}`))
  }
  const watch = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', note)
  subscribe('fastify.initialization', watch)
  const result = await work().finally(() => unsubscribe('fastify.initialization', watch))
  return [result, routes]
}

/** Starts the shop for the tests of one file. */
export function openWorld(): () => World {
  let world: World | undefined
  let close = async () => {}
  beforeAll(async () => {
    const opened = await openTestDatabase()
    const settings = { TRUST_PROXY: 'loopback', RAZORPAY_WEBHOOK_SECRET: HOOK_SECRET }
    const [shop, routes] = await routesOf(() => shopOn(opened.db, settings, mountPages))
    const address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const agent = new Agent({ keepAlive: true, maxSockets: 100 })
    world = { shop, routes, send: sendTo(address, agent) }
    close = async () => {
      agent.destroy()
      await shop.app.close().finally(opened.close)
    }
  })
  afterAll(() => close())
  return () => {
    if (!world) throw new Error('The world is not open yet.')
    return world
  }
}
