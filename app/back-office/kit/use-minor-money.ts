import { toMajor } from '#app/shared/model/minor-units.ts'
import { useMoney } from '#app/shared/web/use-money.ts'

/** Formats amounts in minor units of a currency (ISO 4217). */
export function useMinorMoney(): (minor: number, currency: string) => string {
  const money = useMoney()
  return (minor, currency) => money(toMajor(minor, currency), currency)
}
