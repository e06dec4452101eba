import { startShopProcess } from './shop-process.ts'

/** Milliseconds from the start of the shop's process to its first home page, whole. */
export async function measureStart(settings: Record<string, string>): Promise<number> {
  const started = performance.now()
  const shop = await startShopProcess(settings)
  try {
    const answer = await fetch(shop.address)
    await answer.text()
    if (!answer.ok) throw new Error(`The home page answered ${answer.status} after a start.`)
    return Math.round(performance.now() - started)
  } finally {
    await shop.stop()
  }
}
