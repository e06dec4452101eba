import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Database } from '#db/schema.ts'
import { removeStrayFiles } from './mail-transport.ts'

const NO_DATABASE = {} as Database

it('reports a folder of kept e-mails that cannot be read, except one that does not exist', async () => {
  const path = join(tmpdir(), `kept-${process.pid}`)
  await removeStrayFiles(NO_DATABASE, path)
  await writeFile(path, '')
  await expect(removeStrayFiles(NO_DATABASE, path)).rejects.toThrow('ENOTDIR')
})
