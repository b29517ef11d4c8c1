/** What a stub bidder answers: one bid at a fixed price for the first impression, as a text. */
export function answerTo(request: string, index: number, tail: string): string {
  const id = /"id":"([^"]+)"/.exec(request)?.[1] ?? '';
  const impid = /"imp":\[\{[^}]*?"id":"([^"]+)"/.exec(request)?.[1] ?? '';
  return `{"id":"${id}","cur":"USD","seatbid":[{"seat":"stub-${index}","bid":[{"id":"b${index}","impid":"${impid}",${tail}}]}]}`;
}

/**
 * The fields of a bid that are the same in each answer, without braces.
 *
 * @param origin where the notices of the bid are answered.
 */
export function describeBid(price: number, index: number, origin: string): string {
  const host = `stub-${index}.example`;
  const bid = {
    price,
    adid: `ad-${index}`,
    nurl: `${origin}/win?id=\${AUCTION_ID}&price=\${AUCTION_PRICE}`,
    burl: `${origin}/bill?id=\${AUCTION_ID}&price=\${AUCTION_PRICE}`,
    lurl: `${origin}/loss?id=\${AUCTION_ID}&reason=\${AUCTION_LOSS}`,
    adm: `<a href="https://${host}/click?id=\${AUCTION_ID}" target="_blank"><img src="https://${host}/creative.png" width="300" height="250" alt=""></a><img src="https://${host}/shown?id=\${AUCTION_ID}&price=\${AUCTION_PRICE}" width="1" height="1" alt="">`,
    adomain: [`advertiser-${index}.example`],
    cid: `campaign-${index}`,
    crid: `creative-${index}`,
    cat: ['IAB3-1'],
    attr: [],
    w: 300,
    h: 250,
  };
  return JSON.stringify(bid).slice(1, -1);
}
