// Two support test cases that need a long answer.
import { prose } from '../../text.ts'
import type { SupportCase } from '../case.ts'

const STANDARD = `| Zone | Price | Free from | Business days |
| --- | ---: | ---: | :---: |
| Netherlands, Belgium, Germany | €4.95 | €75 | 2-3 |
| Rest of the EU | €4.95 | €75 | 3-6 |
| United Kingdom, Norway, Switzerland | €14.95 | never | 5-8 |
| United States, Canada | €24.95 | never | 7-12 |`

const OPTIONS = `| | NL, BE, DE | France | Rest of the EU | Outside the EU |
| --- | :---: | :---: | :---: | :---: |
| Express (next business day, €12.50) | ✅ before 14:00 | ❌ | ❌ | ❌ |
| Parcel lockers | ✅ | ✅ | ❌ | ❌ |
| PO boxes | ❌ | ❌ | ❌ | ❌ |
| Gas canisters | ✅ by road, not with express | ❌ | ❌ | ❌ |
| Import duty and VAT | none | none | none | paid on delivery |`

export const RATES_TABLE: SupportCase = {
  cite: 'shipping §2',
  item: null,
  customer: { name: 'Niamh Kavanagh', country: 'IE' },
  questions: [
    {
      text: prose`
        Hello Larkfell,

        I write a blog about long-distance trails and am comparing outdoor shops for our readers. Could you
        give me, for EVERY country you ship to:

        - the price
        - from which amount it is free
        - how long it takes
        - whether there is express, lockers, gas canisters
        - who pays customs

        A table would be perfect. Thanks a million!`,
      lead: `What a nice idea, and thank you for asking us and not guessing.`,
    },
  ],
  fact: 'The rates and times of shipping §1 to §6 for all four zones, with customs outside the EU.',
  mention: '€24.95',
  answer: prose`
    Here is everything on one page, as it stands today.

    ### Standard delivery

    ${STANDARD}

    ### Everything else

    ${OPTIONS}

    A few things that a table does not say well:

    1. **Business days count from dispatch**, not from the order. The tracking link is e-mailed at dispatch,
       and the first scan can take 24 hours.
    2. **Free from €75 is for the EU only.** There is one exception: customers in our *Summit* tier, who have
       earned 1,500 Trail Points within a year, ship free.
    3. **Customs.** Outside the EU the carrier charges import duty and VAT on delivery. They are not part of
       our prices, we do not collect them, and we cannot say in advance how much they will be.
    4. **Gas canisters** travel by road only. This is why they cannot be sent with express, nor beyond the
       three countries above, even if the rest of the order can.
    5. **Lockers** are chosen at checkout. If a parcel waits at a pick-up point it is kept for 7 days; after
       that it comes back to us, and we send it again once for free.
    6. **Returns** are free inside the EU within 30 days of delivery. From elsewhere the customer pays the
       postage, and there is no restocking fee anywhere.

    Do send us the link when your article is out, we would love to read it. And if you need a photo of the
    warehouse dog for it: he is called Biscuit, and he is available.`,
  plain: prose`
    Here are the conditions for all the countries that we deliver to. The times are business days from
    dispatch.

    ## Prices and times

    ${STANDARD}

    ## Services

    ${OPTIONS}

    ## Notes

    - **Free delivery:** from €75 inside the EU. Customers of the Summit tier (1,500 Trail Points in a year)
      have free delivery regardless of the amount.
    - **Express:** the order has to be placed before 14:00. It then arrives on the next business day.
    - **Gas canisters:** by road only, which is why they are limited to three countries and excluded from
      express.
    - **Customs:** outside the EU, the carrier charges import duty and VAT when the parcel is delivered.
      These amounts are not part of our prices and are paid by the customer.
    - **Pick-up points:** a parcel is kept for 7 days and then returned to us. We send it a second time free
      of charge.
    - **Tracking:** the link is e-mailed at dispatch, and the first scan can take 24 hours. If there is no
      scan for 5 business days, we open a trace; the carrier has 3 business days to answer, and after that we
      resend or refund.
    - **Returns:** 30 days from delivery. The label is free inside the EU; from other countries the customer
      pays the postage. There is no restocking fee.

    You are welcome to quote this. For pictures of the warehouse, or of our dog Pepper, who guards it, please
    ask a colleague at the press desk.`,
  wrong: [
    {
      text: `Shipping is €4.95 to every country and free from €75. Delivery takes 2 to 6 business days.`,
      why: 'Gives the EU rate for all countries, and leaves out customs, express and lockers.',
    },
  ],
}

export const SCOUT_GROUP: SupportCase = {
  cite: 'warranty §1',
  item: 'tent',
  customer: { name: 'Declan Nolan', country: 'IE' },
  questions: [
    {
      text: prose`
        Hi, I look after the gear of a scout group: 6 Larkfell tents, 14 packs, 5 headlamps, 20 pairs of
        Norrvik boots, all bought from you over the years. I have to write a maintenance plan for the
        insurance. Please tell me for each kind of item: (1) how long the warranty is, (2) what it does NOT
        cover, (3) what you repair and for how much, (4) how long that takes and what it costs to send, and
        (5) how to clean it. One list per item would be great. Order {order} is the last one.`,
      lead: `Your scouts are lucky to have you!`,
      delivered: 64,
    },
  ],
  fact: prose`Tents and packs 5 years, headlamps 3 years, boots 2 years; with the repair prices, times and
    care rules.`,
  mention: '5 years',
  answer: prose`
    Here is the plan, item by item.

    ### ⛺ Tents (Larkfell)

    - **Warranty:** 5 years, for faults in material and workmanship
    - **Not covered:** wear, accidents, heat and sun damage
    - **Repairs:** zip €18, pole section €9, patches up to 5 cm free
    - **Care:** sponge and lukewarm water, never the washing machine; store them fully dry

    ### 🎒 Packs (Larkfell)

    - **Warranty:** 5 years, on the same terms as the tents
    - **Repairs:** zip €18, patches up to 5 cm free
    - **Care:** our care sheet has nothing special for packs, so I won't make anything up

    ### 🔦 Headlamps (Larkfell)

    - **Warranty:** 3 years, like every Larkfell product that is not a tent or a pack
    - **Repairs:** not in our price list; send a photo and we will see whether it is a warranty case

    ### 🥾 Boots (Norrvik)

    - **Warranty:** 2 years, because they are from another brand
    - **Repairs:** none, our workshop does not do footwear

    ### For all repairs

    1. Items have to arrive **clean and dry**, otherwise cleaning costs €15 each. With twenty scouts I would
       plan a washing day.
    2. A repair takes **10 working days** from arrival in the workshop.
    3. You pay the postage to us, and we pay the way back. One big parcel is cheaper than ten small ones.
    4. For a claim we need a photo and the order number, and we answer within 3 business days.

    ### Good to know for the insurance

    - The warranty goes **with the product**. If you pass tents on to another group, give them the order
      number as well.
    - A repaired or replaced item **keeps the original period**. It does not start again.
    - Please keep the order numbers in your plan. The last one is {order}, delivered on {delivered}; the
      older ones are in your account.

    If the insurer needs this on paper with a letterhead, tell me the name of the group and I will ask a
    colleague to send you a PDF. Have a dry summer camp!`,
  plain: prose`
    Here is an overview for your maintenance plan.

    | Item | Warranty | Repairs | Care |
    | --- | --- | --- | --- |
    | Larkfell tents | 5 years | zip €18, pole section €9, patch up to 5 cm free | sponge, store dry |
    | Larkfell packs | 5 years | zip €18, patch up to 5 cm free | no rule in our help centre |
    | Larkfell headlamps | 3 years | no price in our list, please ask | no rule in our help centre |
    | Norrvik boots | 2 years | none, we do not repair footwear | no rule in our help centre |

    **Not covered by the warranty**, for all items: wear, accidents, heat and sun damage. It covers faults in
    material and workmanship. A repaired or replaced item keeps its original period, and the warranty goes
    with the product if you pass it on, as long as the order number goes with it.

    **Sending something in:**

    1. Clean and dry it first. Otherwise we have to clean it, for €15.
    2. You pay the postage to the workshop; we pay the way back.
    3. The repair takes 10 working days from arrival.

    **Claims:** send a photo and the order number, such as {order}. We answer within 3 business days.`,
  wrong: [
    {
      text: `All items have a warranty of 5 years, and all repairs within it are free, including wear.`,
      why: prose`One period for everything, and wear is not covered. Tents and packs 5 years, headlamps 3,
        boots 2.`,
    },
  ],
}
