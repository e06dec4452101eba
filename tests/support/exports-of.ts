import { readdirSync } from 'node:fs'

/** What the files of a folder export that are named after domains; all.ts and *-call.ts are not. */
export async function exportsOf<Exported>(folder: URL): Promise<Exported[]> {
  const files = readdirSync(folder).filter((name) => !/^all\.|-call\./.test(name))
  const modules: Record<string, Exported>[] = await Promise.all(
    files.map((name) => import(new URL(name, folder).href)),
  )
  return modules.flatMap(Object.values)
}
