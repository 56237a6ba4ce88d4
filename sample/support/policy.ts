// The help center of Larkfell by section. Prompts quote it, and answers are judged by it.
import { dedent } from '../text.ts'

export const POLICY = {
  returns: dedent`
    ## returns
    §1 Items can be returned within 30 days of delivery, unused and with the tags attached.
    §2 The return label is free inside the EU. Outside the EU the customer pays the postage. There is no
       restocking fee.
    §3 Footwear may be tried on indoors. Footwear worn outdoors is not taken back unless it is faulty.
    §4 Water filters, underwear and socks cannot be returned once the seal is broken.
    §5 Sale items follow the same rules. Only items marked "final sale" cannot be returned.
    §6 Gifts can be returned with the order number. The recipient gets a gift card; the buyer is not told.
    §7 Ship to: Larkfell Returns, Kanaalweg 17, 3526 KL Utrecht, Netherlands. The order number goes on the
       outside.`,
  refunds: dedent`
    ## refunds
    §1 Refunds go to the original payment method within 5 business days of the parcel reaching our warehouse.
    §2 The delivery fee is refunded only if the whole order is returned.
    §3 If an order was paid partly by gift card, the gift card is refilled first.
    §4 If a price drops within 14 days of purchase, we refund the difference as a gift card.
    §5 Damage in transit: with a photo within 7 days of delivery, the customer chooses a replacement or a full
       refund. Items under €40 need not be sent back.
    §6 Staff do not hand out discount codes or refunds on request; refunds follow a return or a claim.`,
  exchanges: dedent`
    ## exchanges
    §1 One free size or colour exchange per item within 30 days of delivery.
    §2 The replacement ships as soon as the carrier scans the return, usually the same day.
    §3 If the new item costs more, the customer pays the difference; if it costs less, we refund it.
    §4 If the size is sold out, we refund the item or hold the exchange for up to 14 days until new stock.`,
  shipping: dedent`
    ## shipping
    §1 Netherlands, Belgium, Germany 2-3 business days; rest of the EU 3-6; UK, Norway, Switzerland 5-8;
       United States and Canada 7-12.
    §2 EU €4.95, free from €75. UK, Norway, Switzerland €14.95. United States and Canada €24.95.
    §3 Express: next business day in NL, BE and DE for €12.50, if ordered before 14:00.
    §4 Gas canisters go by road only: NL, BE and DE, never with express.
    §5 Outside the EU, import duty and VAT are charged by the carrier on delivery and are not in our price.
    §6 No PO boxes. Parcel lockers in NL, BE, DE and FR, chosen at checkout.`,
  tracking: dedent`
    ## tracking
    §1 The tracking link is e-mailed at dispatch. The first scan can take 24 hours.
    §2 No scan for 5 business days: we open a trace. The carrier has 3 business days to answer, then we resend
       or refund.
    §3 Marked as delivered but not there: check neighbours and the pick-up point, then tell us within 14 days;
       we file the claim.
    §4 Pick-up points keep a parcel for 7 days. Then it comes back, and we send it again once for free.`,
  warranty: dedent`
    ## warranty
    §1 Larkfell tents and packs 5 years, other Larkfell products 3 years, other brands 2 years.
    §2 Covers faults in material and workmanship. Not wear, accidents, heat or sun damage.
    §3 To claim: photo and order number. We answer within 3 business days.
    §4 The warranty goes with the product: a second owner needs the original order number.
    §5 A repaired or replaced item keeps the original period; it does not start again.`,
  repairs: dedent`
    ## repairs
    §1 Zips €18, tent pole sections €9, patches up to 5 cm free on Larkfell products.
    §2 Repairs take 10 working days from arrival in the workshop.
    §3 Items must arrive clean and dry; otherwise cleaning costs €15.
    §4 Other brands: zips and patches only, at €18 each. No footwear.
    §5 The customer pays the postage to us, we pay the way back.`,
  giftcards: dedent`
    ## giftcards
    §1 Valid for 3 years from purchase. Not paid out in cash.
    §2 Up to 3 gift cards per order, together with any other payment method.
    §3 Sent by e-mail within 15 minutes, or on a date chosen at checkout. No printed cards.
    §4 Lost code: we send it again to the buyer's e-mail address, given the order number.`,
  points: dedent`
    ## points
    §1 1 Trail Point per euro, credited 30 days after delivery.
    §2 100 points are worth €5. Redeemed in steps of 100 at checkout, not for gift cards.
    §3 Points expire 18 months after the last order.
    §4 Tiers by points earned in a year: Hiker from 0, Ridge from 500, Summit from 1,500. Summit ships free.`,
  orders: dedent`
    ## orders
    §1 Orders can be cancelled or changed in the account until they show "packing", usually for 2 hours.
    §2 After that the address can only be changed through the carrier's redirect link.
    §3 Nothing can be added to an order. If a second order ships the same day, its delivery fee is refunded.
    §4 If a message has no question, ask what the customer needs. Do not guess.`,
  payments: dedent`
    ## payments
    §1 Card, PayPal, iDEAL, Bancontact, bank transfer. No instalments, no cash on delivery.
    §2 Cards are charged at dispatch. Before that it is a reservation, which the bank drops within 7 days.
    §3 Invoices are in the account. A company name and VAT number must be entered before ordering; they
       cannot be added later.`,
  care: dedent`
    ## care
    §1 Down: wash at 30 °C with down soap, tumble dry on low with two tennis balls. No fabric softener.
    §2 Waterproofs: wash at 30 °C without softener, then 20 minutes in the dryer on low. Re-proof if water
       still does not bead.
    §3 Tents: sponge and lukewarm water, never the washing machine. Store them fully dry.`,
} satisfies Record<string, string>

export type Topic = keyof typeof POLICY

/** Returns the sections of the help center in order, without the omitted ones. */
export function policyText(omitted: readonly Topic[] = []): string {
  return (Object.keys(POLICY) as Topic[])
    .filter((topic) => !omitted.includes(topic))
    .map((topic) => POLICY[topic])
    .join('\n\n')
}
