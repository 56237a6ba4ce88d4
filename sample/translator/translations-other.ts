// The outputs of reply-translator in languages with other scripts.
import { prose } from '../text.ts'
import type { Translation } from './translation.ts'

export const OTHER: Translation[] = [
  {
    reply: 'cancel',
    to: 'uk',
    text: 'Вітаємо, {name}! Ваше замовлення LK-50212 скасовано. Кошти не списано.',
  },
  {
    reply: 'delay',
    to: 'uk',
    text: prose`Вітаємо, {name}! Перепрошуємо: через шторм ваша посилка запізнюється на два дні. Нова дата
      доставки — 14 жовтня.`,
  },
  {
    reply: 'claim',
    to: 'uk',
    text: prose`Вітаємо, {name}! Надішліть нам, будь ласка, фото та номер замовлення. Ми відповімо протягом 3
      робочих днів.`,
  },
  {
    reply: 'points',
    to: 'uk',
    text: 'Вітаємо, {name}! У вас 340 Trail Points. 100 балів дорівнюють 5 €.',
  },
  {
    reply: 'down',
    to: 'uk',
    text: prose`Здравствуйте, {name}! Стирайте пуховик при 30 °C со средством для пуха и сушите с двумя
      теннисными мячами. 🎾🎾`,
    fault: {
      adequacy: 0.3,
      terminology: 'off glossary',
      reason: 'This is Russian. Asked for was Ukrainian.',
      isOtherLanguage: true,
    },
  },
  {
    reply: 'refund',
    to: 'el',
    text: prose`Γεια σας {name}, η επιστροφή χρημάτων ύψους 84,50 € είναι καθ' οδόν. Θα φτάσει στον
      λογαριασμό σας μέσα σε 5 εργάσιμες ημέρες.`,
  },
  {
    reply: 'label',
    to: 'el',
    text: prose`Γεια σας {name}, η ετικέτα επιστροφής είναι δωρεάν και ισχύει για 30 ημέρες από την παράδοση.
      Εκτυπώστε την από τις «Παραγγελίες μου» ή δείξτε τον κωδικό QR στο σημείο παράδοσης.`,
  },
  {
    reply: 'boots',
    to: 'el',
    text: prose`Γεια σας {name}, οι μπότες που φορέθηκαν σε εξωτερικό χώρο δεν επιστρέφονται, εκτός αν είναι
      ελαττωματικές.`,
  },
  {
    reply: 'warranty',
    to: 'el',
    text: 'Γεια σας {name}, οι σκηνές μας έχουν εγγύηση 5 ετών. Δεν καλύπτει τη φυσιολογική φθορά.',
  },
  {
    reply: 'stock',
    to: 'el',
    text: prose`Γεια σας {name}, το μέγεθος M έχει εξαντληθεί. Μπορούμε να κρατήσουμε την αλλαγή έως 14
      ημέρες ή να σας επιστρέψουμε τα χρήματα. Τι προτιμάτε;`,
  },
  {
    reply: 'gift',
    to: 'ar',
    text: 'مرحباً {name}، بطاقة الهدايا الخاصة بك صالحة لمدة 3 سنوات ولا يمكن استبدالها نقداً.',
  },
  {
    reply: 'refund',
    to: 'ar',
    text: 'مرحباً {name}، المبلغ المسترد وقدره 84.50 € في الطريق إليك، وسيصل إلى حسابك خلال 5 أيام عمل.',
  },
  {
    reply: 'locker',
    to: 'ar',
    text: 'مرحباً {name}، طردك بانتظارك في خزانة الطرود. الرمز هو 4471، ويُحفظ الطرد لمدة 7 أيام. 📦',
  },
  {
    reply: 'customs',
    to: 'ar',
    text: 'مرحباً {name}، الرسوم الجمركية غير مشمولة في سعرنا، وتحصّلها شركة الشحن عند التسليم.',
  },
  {
    reply: 'thanks',
    to: 'ar',
    text: 'مرحباً {name}، شكراً جزيلاً على كلماتك اللطيفة! لقد أسعدت الفريق بأكمله. 🥾💚',
  },
  {
    reply: 'warranty',
    to: 'hi',
    text: 'नमस्ते {name}, हमारे टेंट पर 5 साल की वारंटी है। इसमें सामान्य घिसावट शामिल नहीं है।',
  },
  {
    reply: 'points',
    to: 'hi',
    text: 'नमस्ते {name}, आपके पास 340 Trail Points हैं। 100 पॉइंट का मूल्य €5 है।',
  },
  {
    reply: 'claim',
    to: 'hi',
    text: 'नमस्ते {name}, कृपया हमें एक फ़ोटो और ऑर्डर नंबर भेजें। हम 3 कार्यदिवसों के भीतर जवाब देंगे।',
  },
  {
    reply: 'zip',
    to: 'hi',
    text: prose`नमस्ते {name}, नई ज़िप की कीमत €18 है और मरम्मत में 10 कार्यदिवस लगते हैं। कृपया टेंट को साफ़
      और सूखा भेजें।`,
  },
  {
    reply: 'gift',
    to: 'hi',
    text: 'Hello {name}, your gift card is valid for 3 years and cannot be paid out in cash.',
    fault: {
      adequacy: 0,
      terminology: 'off glossary',
      reason: 'Not translated: the reply came back in English.',
      isOtherLanguage: true,
    },
  },
  {
    reply: 'label',
    to: 'ja',
    text: prose`{name}様、返品用ラベルは無料で、お届けから30日間有効です。「ご注文履歴」から印刷いただくか、受付窓口でQRコードを
      ご提示ください。`,
  },
  {
    reply: 'down',
    to: 'ja',
    text: '{name}様、ダウンジャケットはダウン用洗剤を使って30℃で洗い、テニスボール2個と一緒に乾燥させてください。🎾🎾',
  },
  {
    reply: 'boots',
    to: 'ja',
    text: '{name}様、屋外で着用された靴は、不良品の場合を除き返品いただけません。',
  },
  {
    reply: 'delay',
    to: 'ja',
    text: '{name}様、申し訳ございません。嵐の影響により、お荷物の到着が2日遅れております。新しいお届け予定日は10月14日です。',
  },
  {
    reply: 'stock',
    to: 'ja',
    text: '{name}、Mサイズは売り切れ。交換を14日まで待つか、返金か、どっちがいい？',
    fault: {
      adequacy: 0.72,
      terminology: 'consistent',
      reason: 'Much too informal for a shop: no 様, plain form, "どっちがいい".',
    },
  },
  {
    reply: 'refund',
    to: 'ko',
    text: '{name} 님, 84.50유로의 환불이 진행 중입니다. 영업일 기준 5일 이내에 계좌로 입금됩니다.',
  },
  {
    reply: 'cancel',
    to: 'ko',
    text: '{name} 님, 주문 LK-50212가 취소되었습니다. 결제된 금액은 없습니다.',
  },
  {
    reply: 'customs',
    to: 'ko',
    text: '{name} 님, 수입 관세는 저희 가격에 포함되어 있지 않으며, 배송 시 운송업체가 청구합니다.',
  },
  {
    reply: 'locker',
    to: 'ko',
    text: '{name} 님, 택배가 보관함에 도착했습니다. 비밀번호는 4471이며 7일간 보관됩니다. 📦',
  },
  {
    reply: 'claim',
    to: 'ko',
    text: '',
    fault: {
      adequacy: 0,
      terminology: 'off glossary',
      reason: 'The output is empty.',
      isOtherLanguage: true,
    },
  },
  {
    reply: 'claim',
    to: 'zh',
    text: '您好，{name}：请将照片和订单号发给我们，我们会在3个工作日内回复。',
  },
  {
    reply: 'zip',
    to: 'zh',
    text: '您好，{name}：更换拉链的费用为18欧元，维修需要10个工作日。请将帐篷清洁晾干后寄出。',
  },
  {
    reply: 'stock',
    to: 'zh',
    text: '您好，{name}：M码已售罄。我们可以为您保留换货最多14天，也可以为您退款。您希望选择哪一种？',
  },
  {
    reply: 'thanks',
    to: 'zh',
    text: '您好，{name}：感谢您的赞美！我们整个团队读到后都非常开心。🥾💚',
  },
  {
    reply: 'points',
    to: 'zh',
    text: '您好，{name}：您有340个Trail Points。100积分价值5欧元。',
  },
]
