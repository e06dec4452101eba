import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '#db/connect.ts'
import { DEMO_FACT, isDemoLoaded } from '#db/demo/load-demo.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { readConfig } from './config.ts'
import { demoLines, openDemo } from './open-demo.ts'
import { showProgress } from './operation/progress.ts'

describe('the demo at start', () => {
  let opened: OpenDatabase
  beforeAll(async () => {
    opened = await openTestDatabase()
  })
  afterEach(() => opened.db.deleteFrom('shop_facts').execute())
  afterAll(() => opened.close())

  const open = (settings: Record<string, string>, embedded: boolean) =>
    openDemo(readConfig(settings), { ...opened, embedded })
  const pretendLoaded = () => opened.db.insertInto('shop_facts').values(DEMO_FACT).execute()

  it('is not loaded when it is off', async () => {
    expect(await open({ DEMO: 'off' }, true)).toBeNull()
    expect(await isDemoLoaded(opened.db)).toBe(false)
  })

  it('is not loaded by default on a database server', async () => {
    expect(await open({}, false)).toBeNull()
    expect(await isDemoLoaded(opened.db)).toBe(false)
  })

  it('tells its logins while it is there', async () => {
    await pretendLoaded()
    const demo = await open({}, false)
    expect(demo?.admin).toEqual({ email: 'admin@example.com', password: 'admin-demo' })
    expect(demo && demoLines(demo).join('\n')).toContain('customer@example.com / customer-demo')
  })

  it('tells nothing of itself when it is off', async () => {
    await pretendLoaded()
    expect(await open({ DEMO: 'off' }, true)).toBeNull()
  })
})

describe('progress', () => {
  const shown = (isTTY: boolean) => {
    const written: string[] = []
    const show = showProgress('Baking', { isTTY, write: (text) => written.push(text) })
    for (let done = 1; done <= 8; done++) show(done, 8)
    return written
  }

  it('rewrites one line on a terminal', () => {
    expect(shown(true)).toHaveLength(8)
    expect(shown(true).at(-1)).toBe('\rBaking: 8 of 8\n')
  })

  it('writes a few lines elsewhere', () => {
    expect(shown(false)).toEqual([2, 4, 6, 8].map((done) => `Baking: ${done} of 8\n`))
  })
})
