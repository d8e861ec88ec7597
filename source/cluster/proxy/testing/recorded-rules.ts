// As recorded on node-1 of a real cluster: facts/kube-proxy/iptables-save.txt.
export const RECORDED = `*mangle
:PREROUTING ACCEPT [0:0]
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:POSTROUTING ACCEPT [0:0]
:KUBE-PROXY-CANARY - [0:0]
COMMIT
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:KUBE-EXTERNAL-SERVICES - [0:0]
:KUBE-FIREWALL - [0:0]
:KUBE-FORWARD - [0:0]
:KUBE-NODEPORTS - [0:0]
:KUBE-PROXY-CANARY - [0:0]
:KUBE-PROXY-FIREWALL - [0:0]
:KUBE-SERVICES - [0:0]
-A INPUT -j KUBE-FIREWALL
-A INPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes load balancer firewall" -j KUBE-PROXY-FIREWALL
-A INPUT -m comment --comment "kubernetes health check service ports" -j KUBE-NODEPORTS
-A INPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes externally-visible service portals" -j KUBE-EXTERNAL-SERVICES
-A FORWARD -m conntrack --ctstate NEW -m comment --comment "kubernetes load balancer firewall" -j KUBE-PROXY-FIREWALL
-A FORWARD -m comment --comment "kubernetes forwarding rules" -j KUBE-FORWARD
-A FORWARD -m conntrack --ctstate NEW -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
-A FORWARD -m conntrack --ctstate NEW -m comment --comment "kubernetes externally-visible service portals" -j KUBE-EXTERNAL-SERVICES
-A OUTPUT -j KUBE-FIREWALL
-A OUTPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes load balancer firewall" -j KUBE-PROXY-FIREWALL
-A OUTPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
-A KUBE-EXTERNAL-SERVICES -p tcp -m comment --comment "shop/np-hollow has no endpoints" -m addrtype --dst-type LOCAL -m tcp --dport 30087 -j REJECT --reject-with icmp-port-unreachable
-A KUBE-EXTERNAL-SERVICES -p tcp -m comment --comment "shop/edge-far:http has no local endpoints" -m addrtype --dst-type LOCAL -m tcp --dport 30084 -j DROP
-A KUBE-FIREWALL ! -s 127.0.0.0/8 -d 127.0.0.0/8 -m comment --comment "block incoming localnet connections" -m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT -j DROP
-A KUBE-FORWARD -m conntrack --ctstate INVALID -m nfacct --nfacct-name  ct_state_invalid_dropped_pkts -j DROP
-A KUBE-FORWARD -m comment --comment "kubernetes forwarding rules" -m mark --mark 0x4000/0x4000 -j ACCEPT
-A KUBE-FORWARD -m comment --comment "kubernetes forwarding conntrack rule" -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
-A KUBE-NODEPORTS -p tcp -m comment --comment "shop/edge:http health check node port" -m tcp --dport 31877 -j ACCEPT
-A KUBE-SERVICES -d 10.96.0.86/32 -p tcp -m comment --comment "shop/here has no local endpoints" -m tcp --dport 80 -j DROP
-A KUBE-SERVICES -d 10.96.0.87/32 -p tcp -m comment --comment "shop/np-hollow has no endpoints" -m tcp --dport 80 -j REJECT --reject-with icmp-port-unreachable
-A KUBE-SERVICES -d 10.96.0.81/32 -p tcp -m comment --comment "shop/hollow has no endpoints" -m tcp --dport 80 -j REJECT --reject-with icmp-port-unreachable
COMMIT
*nat
:PREROUTING ACCEPT [0:0]
:INPUT ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:POSTROUTING ACCEPT [0:0]
:KUBE-EXT-6DIQQWZY5FTPVDUK - [0:0]
:KUBE-EXT-DCQOGJK4QZZOVIJ6 - [0:0]
:KUBE-EXT-DQMHRHJJZYR4HBJJ - [0:0]
:KUBE-MARK-MASQ - [0:0]
:KUBE-NODEPORTS - [0:0]
:KUBE-POSTROUTING - [0:0]
:KUBE-PROXY-CANARY - [0:0]
:KUBE-SEP-2GFESPSWZI6F32XN - [0:0]
:KUBE-SEP-6H7XQ2QV675NNXHM - [0:0]
:KUBE-SEP-JD5APHYZPKA3WONR - [0:0]
:KUBE-SEP-PYIDTHAYZXR4PWFX - [0:0]
:KUBE-SEP-QEKWZZCVDB33FUNX - [0:0]
:KUBE-SEP-QK26JEY35IGTSGKK - [0:0]
:KUBE-SEP-SQ3QUK7JLSKBNU6R - [0:0]
:KUBE-SEP-WFC4LQAXHCEU5PMF - [0:0]
:KUBE-SEP-YECFGNHQSJO4R2RM - [0:0]
:KUBE-SEP-ZKHC2T5TO6PNQFI7 - [0:0]
:KUBE-SERVICES - [0:0]
:KUBE-SVC-67NZLRHBNDSAWJRO - [0:0]
:KUBE-SVC-6DIQQWZY5FTPVDUK - [0:0]
:KUBE-SVC-C6YCYWI3VSGSBIFB - [0:0]
:KUBE-SVC-DCQOGJK4QZZOVIJ6 - [0:0]
:KUBE-SVC-DQMHRHJJZYR4HBJJ - [0:0]
:KUBE-SVC-NPX46M4PTMTKRN6Y - [0:0]
:KUBE-SVL-6DIQQWZY5FTPVDUK - [0:0]
-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
-A OUTPUT -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
-A POSTROUTING -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING
-A KUBE-EXT-6DIQQWZY5FTPVDUK -s 10.244.0.0/16 -m comment --comment "pod traffic for shop/edge:http external destinations" -j KUBE-SVC-6DIQQWZY5FTPVDUK
-A KUBE-EXT-6DIQQWZY5FTPVDUK -m comment --comment "masquerade LOCAL traffic for shop/edge:http external destinations" -m addrtype --src-type LOCAL -j KUBE-MARK-MASQ
-A KUBE-EXT-6DIQQWZY5FTPVDUK -m comment --comment "route LOCAL traffic for shop/edge:http external destinations" -m addrtype --src-type LOCAL -j KUBE-SVC-6DIQQWZY5FTPVDUK
-A KUBE-EXT-6DIQQWZY5FTPVDUK -j KUBE-SVL-6DIQQWZY5FTPVDUK
-A KUBE-EXT-DCQOGJK4QZZOVIJ6 -m comment --comment "masquerade traffic for shop/np:http external destinations" -j KUBE-MARK-MASQ
-A KUBE-EXT-DCQOGJK4QZZOVIJ6 -j KUBE-SVC-DCQOGJK4QZZOVIJ6
-A KUBE-EXT-DQMHRHJJZYR4HBJJ -s 10.244.0.0/16 -m comment --comment "pod traffic for shop/edge-far:http external destinations" -j KUBE-SVC-DQMHRHJJZYR4HBJJ
-A KUBE-EXT-DQMHRHJJZYR4HBJJ -m comment --comment "masquerade LOCAL traffic for shop/edge-far:http external destinations" -m addrtype --src-type LOCAL -j KUBE-MARK-MASQ
-A KUBE-EXT-DQMHRHJJZYR4HBJJ -m comment --comment "route LOCAL traffic for shop/edge-far:http external destinations" -m addrtype --src-type LOCAL -j KUBE-SVC-DQMHRHJJZYR4HBJJ
-A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000
-A KUBE-NODEPORTS -d 127.0.0.0/8 -p tcp -m comment --comment "shop/edge:http" -m tcp --dport 30080 -m nfacct --nfacct-name  localhost_nps_accepted_pkts -j KUBE-EXT-6DIQQWZY5FTPVDUK
-A KUBE-NODEPORTS -p tcp -m comment --comment "shop/edge:http" -m tcp --dport 30080 -j KUBE-EXT-6DIQQWZY5FTPVDUK
-A KUBE-NODEPORTS -d 127.0.0.0/8 -p tcp -m comment --comment "shop/edge-far:http" -m tcp --dport 30084 -m nfacct --nfacct-name  localhost_nps_accepted_pkts -j KUBE-EXT-DQMHRHJJZYR4HBJJ
-A KUBE-NODEPORTS -p tcp -m comment --comment "shop/edge-far:http" -m tcp --dport 30084 -j KUBE-EXT-DQMHRHJJZYR4HBJJ
-A KUBE-NODEPORTS -d 127.0.0.0/8 -p tcp -m comment --comment "shop/np:http" -m tcp --dport 30085 -m nfacct --nfacct-name  localhost_nps_accepted_pkts -j KUBE-EXT-DCQOGJK4QZZOVIJ6
-A KUBE-NODEPORTS -p tcp -m comment --comment "shop/np:http" -m tcp --dport 30085 -j KUBE-EXT-DCQOGJK4QZZOVIJ6
-A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN
-A KUBE-POSTROUTING -j MARK --set-xmark 0x4000/0x0
-A KUBE-POSTROUTING -m comment --comment "kubernetes service traffic requiring SNAT" -j MASQUERADE --random-fully
-A KUBE-SEP-2GFESPSWZI6F32XN -s 10.0.0.10/32 -m comment --comment "default/kubernetes:https" -j KUBE-MARK-MASQ
-A KUBE-SEP-2GFESPSWZI6F32XN -p tcp -m comment --comment "default/kubernetes:https" -m tcp -j DNAT --to-destination 10.0.0.10:6443
-A KUBE-SEP-6H7XQ2QV675NNXHM -s 10.244.2.17/32 -m comment --comment "shop/web:http" -j KUBE-MARK-MASQ
-A KUBE-SEP-6H7XQ2QV675NNXHM -p tcp -m comment --comment "shop/web:http" -m tcp -j DNAT --to-destination 10.244.2.17:8080
-A KUBE-SEP-JD5APHYZPKA3WONR -s 10.244.2.17/32 -m comment --comment "shop/edge:http" -j KUBE-MARK-MASQ
-A KUBE-SEP-JD5APHYZPKA3WONR -p tcp -m comment --comment "shop/edge:http" -m tcp -j DNAT --to-destination 10.244.2.17:8080
-A KUBE-SEP-PYIDTHAYZXR4PWFX -s 10.244.1.20/32 -m comment --comment "shop/edge:http" -j KUBE-MARK-MASQ
-A KUBE-SEP-PYIDTHAYZXR4PWFX -p tcp -m comment --comment "shop/edge:http" -m tcp -j DNAT --to-destination 10.244.1.20:8080
-A KUBE-SEP-QEKWZZCVDB33FUNX -s 10.244.3.23/32 -m comment --comment "shop/edge-far:http" -j KUBE-MARK-MASQ
-A KUBE-SEP-QEKWZZCVDB33FUNX -p tcp -m comment --comment "shop/edge-far:http" -m tcp -j DNAT --to-destination 10.244.3.23:8080
-A KUBE-SEP-QK26JEY35IGTSGKK -s 10.244.2.17/32 -m comment --comment "shop/sticky" -j KUBE-MARK-MASQ
-A KUBE-SEP-QK26JEY35IGTSGKK -p tcp -m comment --comment "shop/sticky" -m recent --set --name KUBE-SEP-QK26JEY35IGTSGKK --mask 255.255.255.255 --rsource -m tcp -j DNAT --to-destination 10.244.2.17:80
-A KUBE-SEP-SQ3QUK7JLSKBNU6R -s 10.244.1.20/32 -m comment --comment "shop/web:http" -j KUBE-MARK-MASQ
-A KUBE-SEP-SQ3QUK7JLSKBNU6R -p tcp -m comment --comment "shop/web:http" -m tcp -j DNAT --to-destination 10.244.1.20:8080
-A KUBE-SEP-WFC4LQAXHCEU5PMF -s 10.244.1.20/32 -m comment --comment "shop/np:http" -j KUBE-MARK-MASQ
-A KUBE-SEP-WFC4LQAXHCEU5PMF -p tcp -m comment --comment "shop/np:http" -m tcp -j DNAT --to-destination 10.244.1.20:8080
-A KUBE-SEP-YECFGNHQSJO4R2RM -s 10.244.2.17/32 -m comment --comment "shop/np:http" -j KUBE-MARK-MASQ
-A KUBE-SEP-YECFGNHQSJO4R2RM -p tcp -m comment --comment "shop/np:http" -m tcp -j DNAT --to-destination 10.244.2.17:8080
-A KUBE-SEP-ZKHC2T5TO6PNQFI7 -s 10.244.1.20/32 -m comment --comment "shop/sticky" -j KUBE-MARK-MASQ
-A KUBE-SEP-ZKHC2T5TO6PNQFI7 -p tcp -m comment --comment "shop/sticky" -m recent --set --name KUBE-SEP-ZKHC2T5TO6PNQFI7 --mask 255.255.255.255 --rsource -m tcp -j DNAT --to-destination 10.244.1.20:80
-A KUBE-SERVICES -d 10.96.0.83/32 -p tcp -m comment --comment "shop/edge:http cluster IP" -m tcp --dport 80 -j KUBE-SVC-6DIQQWZY5FTPVDUK
-A KUBE-SERVICES -d 203.0.113.9/32 -p tcp -m comment --comment "shop/edge:http loadbalancer IP" -m tcp --dport 80 -j KUBE-EXT-6DIQQWZY5FTPVDUK
-A KUBE-SERVICES -d 10.96.0.1/32 -p tcp -m comment --comment "default/kubernetes:https cluster IP" -m tcp --dport 443 -j KUBE-SVC-NPX46M4PTMTKRN6Y
-A KUBE-SERVICES -d 10.96.0.84/32 -p tcp -m comment --comment "shop/edge-far:http cluster IP" -m tcp --dport 80 -j KUBE-SVC-DQMHRHJJZYR4HBJJ
-A KUBE-SERVICES -d 10.96.0.82/32 -p tcp -m comment --comment "shop/sticky cluster IP" -m tcp --dport 80 -j KUBE-SVC-C6YCYWI3VSGSBIFB
-A KUBE-SERVICES -d 10.96.0.85/32 -p tcp -m comment --comment "shop/np:http cluster IP" -m tcp --dport 80 -j KUBE-SVC-DCQOGJK4QZZOVIJ6
-A KUBE-SERVICES -d 10.96.0.80/32 -p tcp -m comment --comment "shop/web:http cluster IP" -m tcp --dport 80 -j KUBE-SVC-67NZLRHBNDSAWJRO
-A KUBE-SERVICES -m comment --comment "kubernetes service nodeports; NOTE: this must be the last rule in this chain" -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS
-A KUBE-SVC-67NZLRHBNDSAWJRO ! -s 10.244.0.0/16 -d 10.96.0.80/32 -p tcp -m comment --comment "shop/web:http cluster IP" -m tcp --dport 80 -j KUBE-MARK-MASQ
-A KUBE-SVC-67NZLRHBNDSAWJRO -m comment --comment "shop/web:http -> 10.244.1.20:8080" -m statistic --mode random --probability 0.50000000000 -j KUBE-SEP-SQ3QUK7JLSKBNU6R
-A KUBE-SVC-67NZLRHBNDSAWJRO -m comment --comment "shop/web:http -> 10.244.2.17:8080" -j KUBE-SEP-6H7XQ2QV675NNXHM
-A KUBE-SVC-6DIQQWZY5FTPVDUK ! -s 10.244.0.0/16 -d 10.96.0.83/32 -p tcp -m comment --comment "shop/edge:http cluster IP" -m tcp --dport 80 -j KUBE-MARK-MASQ
-A KUBE-SVC-6DIQQWZY5FTPVDUK -m comment --comment "shop/edge:http -> 10.244.1.20:8080" -m statistic --mode random --probability 0.50000000000 -j KUBE-SEP-PYIDTHAYZXR4PWFX
-A KUBE-SVC-6DIQQWZY5FTPVDUK -m comment --comment "shop/edge:http -> 10.244.2.17:8080" -j KUBE-SEP-JD5APHYZPKA3WONR
-A KUBE-SVC-C6YCYWI3VSGSBIFB ! -s 10.244.0.0/16 -d 10.96.0.82/32 -p tcp -m comment --comment "shop/sticky cluster IP" -m tcp --dport 80 -j KUBE-MARK-MASQ
-A KUBE-SVC-C6YCYWI3VSGSBIFB -m comment --comment "shop/sticky -> 10.244.1.20:80" -m recent --rcheck --seconds 10800 --reap --name KUBE-SEP-ZKHC2T5TO6PNQFI7 --mask 255.255.255.255 --rsource -j KUBE-SEP-ZKHC2T5TO6PNQFI7
-A KUBE-SVC-C6YCYWI3VSGSBIFB -m comment --comment "shop/sticky -> 10.244.2.17:80" -m recent --rcheck --seconds 10800 --reap --name KUBE-SEP-QK26JEY35IGTSGKK --mask 255.255.255.255 --rsource -j KUBE-SEP-QK26JEY35IGTSGKK
-A KUBE-SVC-C6YCYWI3VSGSBIFB -m comment --comment "shop/sticky -> 10.244.1.20:80" -m statistic --mode random --probability 0.50000000000 -j KUBE-SEP-ZKHC2T5TO6PNQFI7
-A KUBE-SVC-C6YCYWI3VSGSBIFB -m comment --comment "shop/sticky -> 10.244.2.17:80" -j KUBE-SEP-QK26JEY35IGTSGKK
-A KUBE-SVC-DCQOGJK4QZZOVIJ6 ! -s 10.244.0.0/16 -d 10.96.0.85/32 -p tcp -m comment --comment "shop/np:http cluster IP" -m tcp --dport 80 -j KUBE-MARK-MASQ
-A KUBE-SVC-DCQOGJK4QZZOVIJ6 -m comment --comment "shop/np:http -> 10.244.1.20:8080" -m statistic --mode random --probability 0.50000000000 -j KUBE-SEP-WFC4LQAXHCEU5PMF
-A KUBE-SVC-DCQOGJK4QZZOVIJ6 -m comment --comment "shop/np:http -> 10.244.2.17:8080" -j KUBE-SEP-YECFGNHQSJO4R2RM
-A KUBE-SVC-DQMHRHJJZYR4HBJJ ! -s 10.244.0.0/16 -d 10.96.0.84/32 -p tcp -m comment --comment "shop/edge-far:http cluster IP" -m tcp --dport 80 -j KUBE-MARK-MASQ
-A KUBE-SVC-DQMHRHJJZYR4HBJJ -m comment --comment "shop/edge-far:http -> 10.244.3.23:8080" -j KUBE-SEP-QEKWZZCVDB33FUNX
-A KUBE-SVC-NPX46M4PTMTKRN6Y ! -s 10.244.0.0/16 -d 10.96.0.1/32 -p tcp -m comment --comment "default/kubernetes:https cluster IP" -m tcp --dport 443 -j KUBE-MARK-MASQ
-A KUBE-SVC-NPX46M4PTMTKRN6Y -m comment --comment "default/kubernetes:https -> 10.0.0.10:6443" -j KUBE-SEP-2GFESPSWZI6F32XN
-A KUBE-SVL-6DIQQWZY5FTPVDUK -m comment --comment "shop/edge:http -> 10.244.1.20:8080" -j KUBE-SEP-PYIDTHAYZXR4PWFX
COMMIT
`;
