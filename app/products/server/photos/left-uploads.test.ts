import type { ChildProcess } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { fileOf, formOf } from '#tests/support/form.ts'
import { noise } from '#tests/support/pictures.ts'
import { testShop } from '#tests/support/shop.ts'
import { noteProcesses } from '#tests/support/started-processes.ts'

const shop = testShop()
let address = ''
let token = ''
let category: Awaited<ReturnType<typeof addCategory>>
let photo: File
let readers: ChildProcess[] = []
let isHeld = false
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  category = await addCategory(shop.db, 'Cups')
  photo = fileOf(await noise(40, 30).jpeg().toBuffer())
  await shop.app.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(shop.app.server.address() as AddressInfo).port}/api/v1`
})
beforeEach(() => {
  readers = []
  isHeld = true
})
noteProcesses((reader) => {
  readers.push(reader)
  if (isHeld) reader.kill('SIGSTOP')
})

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null

async function addPhoto(id: string, signal?: AbortSignal): Promise<number> {
  const { status } = await fetch(`${address}/product/photos/${id}`, {
    method: 'POST',
    headers: { authorization: token },
    body: formOf({ photo }),
    ...(signal && { signal }),
  }).catch(() => ({ status: 0 }))
  return status
}

const connections = () => promisify(shop.app.server.getConnections.bind(shop.app.server))()

const addPhotos = (id: string, count: number, signal: AbortSignal) =>
  Array.from({ length: count }, () => addPhoto(id, signal))

describe('POST /product/photos/:id', () => {
  it('drops the photos of clients that have left, those that wait and those that are read', async () => {
    const { id } = await addProduct(shop.db, { category })
    const [reading, waiting] = [new AbortController(), new AbortController()]
    const uploads = addPhotos(id, 2, reading.signal)
    await expect.poll(() => readers.length).toBe(2)
    uploads.push(...addPhotos(id, 4, waiting.signal))
    await expect.poll(connections).toBe(6)
    waiting.abort()
    await expect.poll(connections).toBe(2)
    isHeld = false
    reading.abort()
    expect(await Promise.all(uploads)).toEqual(Array(6).fill(0))
    expect(await addPhoto(id)).toBe(201)
    expect(readers.length).toBe(3)
    await expect.poll(() => readers.every(hasEnded)).toBe(true)
  })

  it('refuses more photos than 62 that are read or wait', async () => {
    const { id } = await addProduct(shop.db, { category })
    const leaving = new AbortController()
    const uploads = addPhotos(id, 63, leaving.signal)
    expect(await Promise.race(uploads)).toBe(503)
    isHeld = false
    leaving.abort()
    await Promise.all(uploads)
    await expect.poll(() => addPhoto(id)).toBe(201)
  })
})
