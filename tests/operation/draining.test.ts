import { Agent, get, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '#db/connect.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openTestDatabase } from '../support/database.ts'

let opened: OpenDatabase
let app: FastifyInstance
let port: number

beforeAll(async () => {
  opened = await openTestDatabase()
  const config = readConfig({ SANDBOX_SECRET: 'test-secret' })
  app = await createApp({ config, db: opened.db, logger: false })
  app.get('/slow', async () => {
    await setTimeout(1500)
    return 'at last'
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
afterAll(() => opened.close())

type Answer = { status: number; headers: IncomingHttpHeaders }

const ask = (agent: Agent, path: string) =>
  new Promise<Answer>((resolve, reject) => {
    get({ agent, port, host: '127.0.0.1', path }, (answer) => {
      answer.resume().once('end', () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers })
      })
      answer.once('error', reject)
    }).once('error', reject)
  })

/** A proxy with keep-alive connections that stops sending when `/readyz` fails. */
async function askOnAndOn(isWelcome: () => boolean): Promise<Answer[]> {
  const agent = new Agent({ keepAlive: true })
  const answers: Answer[] = []
  while (isWelcome()) answers.push(await ask(agent, '/api/v1/category/get-category'))
  return answers
}

async function untilUnready() {
  const agent = new Agent()
  for (;;) {
    const answer = await ask(agent, '/readyz')
    if (answer.status !== 200) return answer
    await setTimeout(100)
  }
}

it('stops under load without an error that anybody sees', async () => {
  let isWelcome = true
  const unready = untilUnready().then((answer) => {
    isWelcome = false
    return answer
  })
  const load = Array.from({ length: 4 }, () => askOnAndOn(() => isWelcome))
  const slow = ask(new Agent({ keepAlive: true }), '/slow')
  const kept = await ask(new Agent({ keepAlive: true }), '/healthz')
  expect(kept.headers.connection).toBe('keep-alive')
  const stopped = app.stopping.drain(0.5)
  expect(await unready).toMatchObject({
    status: 503,
    headers: { connection: 'close', 'retry-after': '5' },
  })
  expect((await ask(new Agent(), '/healthz')).status).toBe(200)
  for (const answers of await Promise.all(load)) {
    expect(answers.length).toBeGreaterThan(0)
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect(answers.at(-1)?.headers.connection).toBe('close')
  }
  expect(await slow).toMatchObject({ status: 200, headers: { connection: 'close' } })
  await stopped
  await expect(ask(new Agent(), '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
