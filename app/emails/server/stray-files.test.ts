import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Database } from '#db/schema.ts'
import { testFolder } from '#tests/support/test-folder.ts'
import { removeStrayFiles } from './mail-transport.ts'

const NO_DATABASE = {} as Database
const folder = testFolder()

it('reports a folder of kept e-mails that cannot be read, except one that does not exist', async () => {
  const path = join(folder, 'kept')
  await removeStrayFiles(NO_DATABASE, path)
  await writeFile(path, '')
  await expect(removeStrayFiles(NO_DATABASE, path)).rejects.toThrow('ENOTDIR')
})
