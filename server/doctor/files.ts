import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { type Finding, ok, problem, reason, warning } from '#app/shared/server/doctor/finding.ts'

const MEGABYTE = 2 ** 20
/** Free space: below the first value the database may stop any moment, below the second soon. */
const TOO_LITTLE_MB = 256
const LITTLE_MB = 2048

/** Whether only its owner can read a file or folder; null when there is none. */
const isPrivate = (path: string): Promise<boolean | null> =>
  stat(path).then(
    ({ mode }) => (mode & 0o077) === 0,
    () => null,
  )

/** A file with secrets must be readable by its owner only. */
async function examineSecret(path: string): Promise<Finding[]> {
  const shut = await isPrivate(path)
  if (shut === null) return []
  if (shut) return [ok('Permissions', `only you can read ${path}`)]
  const found = `other users of this machine can read ${path}, which contains secrets`
  return [problem('Permissions', found, `Run: chmod 600 ${path}`)]
}

async function examineFolder(folder: string): Promise<Finding> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if (Object(error).code === 'ENOENT')
      return ok('Data folder', `${folder} does not exist yet; the first start creates it`)
    const advice = 'Give it to the user of the shop, or set DATA_DIR to another folder.'
    return problem('Data folder', `${folder} cannot be used: ${reason(error)}`, advice)
  }
  if (await isPrivate(folder)) return ok('Data folder', `${folder} is private to you`)
  const found = `other users of this machine can read ${folder}`
  return problem(
    'Data folder',
    found,
    `Run: chmod 700 ${folder}, or start the shop, which does that.`,
  )
}

async function examineSpace(folder: string): Promise<Finding[]> {
  const space = await statfs(folder).catch(() => null)
  if (!space) return []
  const free = Math.round((space.bavail * space.bsize) / MEGABYTE)
  const found = `${free} MB are free in ${folder}`
  if (free < TOO_LITTLE_MB)
    return [problem('Disk', found, 'Free space now: a full disk stops the database.')]
  if (free < LITTLE_MB) return [warning('Disk', found, 'Free space soon.')]
  return [ok('Disk', found)]
}

/** Examines the data folder, its disk, and the file of settings, which contains secrets. */
export const examineFiles = async (folder: string, settingsFile: string): Promise<Finding[]> => [
  await examineFolder(folder),
  ...(await examineSpace(folder)),
  ...(await examineSecret(settingsFile)),
]
