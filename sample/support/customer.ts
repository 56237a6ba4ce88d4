// Generates the customer and the order of a test case, and the values for the {slots} in its texts.
import { addDays, formatDate } from '../calendar.ts'
import { type Random, randomFrom, rounded } from '../random.ts'
import type { Slots } from '../text.ts'
import type { Question, SupportCase } from './case.ts'
import { CATALOG, type Product } from './catalog.ts'
import { COUNTRIES, type Country, countryOf, EU_COUNTRIES } from './people.ts'

/** The date of all questions, so that deadlines are the same in every run. */
export const TODAY = '2026-09-09'

export interface CustomerSlots {
  customer: Record<string, unknown>
  slots: Slots
}

interface Order {
  number: string
  placed: string
  delivered: string | null
  delivery_fee: number
  total: number
  paid: { method: string; amount: number }[]
  items: { sku: string; name: string; brand: string; size: string | null; quantity: number; price: number }[]
}

export function customerFor(id: string, supportCase: SupportCase, question: Question): CustomerSlots {
  const random = randomFrom(`customer ${id}`)
  const country = countryFor(random, supportCase, question)
  const name = supportCase.customer?.name ?? `${random.pick(country.first)} ${random.pick(country.last)}`
  const product = supportCase.item === null ? null : random.pick<Product>(CATALOG[supportCase.item])
  const tier = question.tier ?? random.pick(['Hiker', 'Hiker', 'Hiker', 'Ridge', 'Ridge', 'Summit'])
  const order = product && orderFor(random, supportCase, question, country, tier, product)
  const customer: Record<string, unknown> = {
    name,
    country: country.code,
    tier,
    points: question.points ?? random.integer(0, 90) * 5,
    order,
  }
  if (random.chance(0.25)) customer.previous_tickets = previousTickets(random)
  return { customer, slots: slotsFor(name, country, product, order) }
}

function countryFor(random: Random, supportCase: SupportCase, question: Question): Country {
  const code = supportCase.customer?.country ?? question.country
  if (code) return countryOf(code)
  return random.pick(/^(returns|refunds|exchanges)/.test(supportCase.cite) ? EU_COUNTRIES : COUNTRIES)
}

function orderFor(
  random: Random,
  supportCase: SupportCase,
  question: Question,
  country: Country,
  tier: string,
  product: Product,
): Order {
  const products = [product, ...otherProducts(random, supportCase, product)]
  const items = products.map(({ sku, name, brand, price, sizes }) => ({
    sku,
    name,
    brand,
    size: sizes.length ? random.pick(sizes.slice(1, -1)) : null,
    quantity: 1,
    price,
  }))
  const goods = items.reduce((sum, item) => sum + item.price, 0)
  const fee = tier === 'Summit' ? 0 : deliveryFee(country, goods)
  const total = rounded(goods + fee, 2)
  const giftCard = question.giftCard ?? 0
  const method = question.payment ?? random.pick(country.payment)
  const paid = [{ method, amount: rounded(total - giftCard, 2) }]
  if (giftCard) paid.unshift({ method: 'gift card', amount: giftCard })
  const delivered =
    question.delivered === null ? null : addDays(TODAY, -(question.delivered ?? random.integer(4, 24)))
  const shippingDays = country.isInEu ? random.integer(3, 5) : random.integer(7, 10)
  const placed = delivered ? addDays(delivered, -shippingDays) : addDays(TODAY, -(question.placed ?? 2))
  return {
    number: `LK-${random.integer(40210, 58990)}`,
    placed,
    delivered,
    delivery_fee: fee,
    total,
    paid,
    items,
  }
}

/** The other products of the order. An order of a small product contains all small products, so that one can be returned. */
function otherProducts(random: Random, supportCase: SupportCase, product: Product): Product[] {
  const small: Product[] = CATALOG.small.filter((other) => other.sku !== product.sku)
  if (supportCase.item === 'small') return small
  return random.chance(0.3) ? [random.pick(small)] : []
}

function deliveryFee(country: Country, goods: number): number {
  if (country.isInEu) return goods >= 75 ? 0 : 4.95
  return country.code === 'US' ? 24.95 : 14.95
}

function previousTickets(random: Random) {
  const topics = ['shipping', 'sizing', 'returns', 'points', 'newsletter']
  return Array.from({ length: random.integer(1, 2) }, () => ({
    id: `T-${random.integer(20110, 31870)}`,
    topic: random.pick(topics),
    solved: random.chance(0.9),
    rating: random.chance(0.5) ? random.integer(3, 5) : null,
  }))
}

function slotsFor(name: string, country: Country, product: Product | null, order: Order | null): Slots {
  const slots: Record<string, string> = {
    first: name.replace(/^.*\(|\)$/g, '').split(' ')[0] as string,
    country: country.name,
  }
  if (!product || !order) return slots
  const arrival = order.delivered ?? addDays(order.placed, 4)
  return Object.assign(slots, {
    product: product.name,
    noun: product.noun,
    brand: product.brand,
    price: product.price.toFixed(2),
    size: order.items[0]?.size ?? '',
    order: order.number,
    total: order.total.toFixed(2),
    points: String(Math.floor(order.total)),
    placed: formatDate(order.placed),
    delivered: formatDate(arrival),
    deadline: formatDate(addDays(arrival, 30)),
    /** For products of other brands. */
    warranty: addDays(arrival, 730) < TODAY ? 'has ended' : 'is still running',
    early: formatDate(addDays(order.placed, 30)),
  })
}
