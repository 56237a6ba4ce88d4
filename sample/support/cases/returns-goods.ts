// Support test cases about which items can be returned: worn, opened, on sale, or gifts.
import { prose } from '../../text.ts'
import type { SupportCase } from '../case.ts'

export const RETURNS_GOODS: SupportCase[] = [
  {
    cite: 'returns §3',
    item: 'boots',
    questions: [
      {
        text: prose`I wore the {product} on one walk in the woods, maybe 6 km, and my heel is raw. They are
          clean. Can I return them?`,
        lead: `Ouch, I'm sorry about your heel.`,
      },
      {
        text: prose`Took my {product} up two hills last weekend and they pinch at the toes. Would you take
          them back if I clean them really well?`,
        lead: `What a pity, two hills with pinched toes are two too many.`,
      },
    ],
    fact: 'No: footwear worn outdoors is not taken back unless it is faulty. Trying it on indoors is fine.',
    mention: 'worn outdoors',
    answer: prose`We can't take the {noun} back once they have been worn outdoors, even when they are clean.
      Trying them on indoors is fine, but after a walk we can no longer sell them. The one exception is a
      fault, such as a sole that comes loose.`,
    next: 'If a seam or the lining is what hurts, send us a photo and we will look at it as a fault.',
    brief: `Footwear that was worn outdoors can't come back, unless it is faulty.`,
    plain: prose`We accept {noun} that were tried on indoors, but I am afraid not ones that were worn
      outdoors, unless there is a fault in them.`,
    unsupported: { in: 'next', what: 'that a seam or the lining counts as a fault' },
    wrong: [
      {
        text: `As long as they are clean you can send the {noun} back within the 30 days.`,
        why: 'Accepts footwear worn outdoors. Only faulty footwear is taken back after that.',
      },
      {
        text: prose`Yes, you can. There is a 100-day comfort promise on footwear, so send them back whenever
          you like.`,
        why: 'The 100-day comfort promise does not exist. Footwear worn outdoors is not taken back.',
      },
    ],
  },
  {
    cite: 'returns §4',
    item: 'filter',
    questions: [
      {
        text: prose`I opened the {product} to see how long the hose is and now I'd rather have the other
          model. Can I send this one back?`,
        lead: `It is hard to judge a hose through a box, I know.`,
      },
      {
        text: prose`Is it possible to return the {product} from {order}? The seal is broken, but no water
          ever went through it, I swear.`,
        lead: `I do believe you!`,
      },
    ],
    fact: 'No: water filters cannot be returned once the seal is broken.',
    mention: 'seal is broken',
    answer: prose`Water filters can't be returned once the seal is broken, used or not. The next person has
      to be able to trust that nobody drank through it, and we can't check that.`,
    next: 'A fault is another matter: if it leaks or clogs at once, write to us with a photo.',
    brief: `Water filters can't be returned once the seal is broken, even if they were never used.`,
    plain: prose`As soon as the seal is broken, a water filter unfortunately can't be returned, even if it
      was never used.`,
    unsupported: { in: 'next', what: 'what to do if the filter leaks or clogs' },
    wrong: [
      {
        text: `An opened filter can go back as long as no water has run through it.`,
        why: 'Makes an exception for unused filters. With a broken seal there is none.',
      },
      {
        text: prose`Opened items can be returned for 80% of the price, so you would get that back within a
          few days.`,
        why: 'Invents a refund of 80% for opened items.',
      },
    ],
  },
  {
    cite: 'returns §5',
    item: 'trousers',
    questions: [
      {
        text: prose`Got the {product} in the summer sale, 40% off. Can sale items go back or is that final?
          It doesn't say anything on the order page.`,
        lead: `Nice find in the sale, even if they are not quite right.`,
        delivered: 9,
      },
      {
        text: prose`I bought the {product} with a discount and regret it a little... is there any way to give
          them back? They came on {delivered}, never worn.`,
        lead: `No harm done, that is what returns are for.`,
        delivered: 21,
      },
    ],
    fact: 'Sale items follow the same rules (30 days from delivery). Only "final sale" items are excluded.',
    mention: 'final sale',
    answer: prose`Sale items can come back just like everything else, within 30 days of delivery, so until
      {deadline}, unused and with tags. Only items marked "final sale" on the product page are excluded, and
      your {noun} are not.`,
    next: 'The free label is under *My orders*.',
    brief: prose`Yes, sale items have the same 30 days, so until {deadline}. Only items marked "final sale"
      are excluded.`,
    plain: prose`A discount does not change the return period: you have 30 days from delivery, which is until
      {deadline}. The exception is "final sale", and that would be stated on the product.`,
    unsupported: { in: 'answer', what: 'that the product page states it' },
    wrong: [
      {
        text: `Items from the sale can be returned within 14 days instead of 30.`,
        why: 'Gives sale items a shorter window. They have the same 30 days.',
      },
      {
        text: `Items bought on sale are final, so we can't take the {noun} back.`,
        why: 'Refuses the return. Only items marked "final sale" are excluded, and these are not.',
      },
    ],
  },
  {
    cite: 'returns §6',
    item: 'jacket',
    questions: [
      {
        text: prose`My sister gave me the {product} for my birthday but the colour is really not me. She'd be
          hurt if she knew. Can I return it without her finding out?`,
        lead: `Your secret is safe with us.`,
      },
      {
        text: prose`I was given the {product}. I have the order number ({order}) but it's not my account. How
          does a return work, and who gets the money?`,
        lead: `Returning a present is easier than it sounds.`,
      },
    ],
    fact: prose`Gifts can be returned with the order number; the recipient gets a gift card, the buyer is not
      told.`,
    mention: 'gift card',
    answer: prose`You can return a gift with nothing but its order number. The value comes to you as a
      Larkfell gift card, sent to your own e-mail address, and the person who bought it is not told.`,
    next: 'Choose *Return a gift* at the bottom of the returns page and enter {order}.',
    brief: `You can return it with the order number. You get a gift card, and the buyer is not told.`,
    plain: prose`A gift can be returned with its order number. We then issue a gift card to you, the
      recipient, and do not inform the buyer.`,
    unsupported: { in: 'next', what: 'where the form for gifts is on the page' },
    wrong: [
      {
        text: prose`You can return it with the order number. The refund goes to the card of the person who
          paid for it.`,
        why: 'Sends the refund to the buyer. For a gift the recipient gets a gift card.',
      },
      {
        text: `Only the person who placed the order can return it, so you would have to ask them.`,
        why: 'Says that only the buyer can return it. The order number is enough.',
      },
    ],
  },
]
